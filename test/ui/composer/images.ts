/** Images in a real workbench: attached in every way, scaled, rejected, and sent. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import type { Frame, Locator } from 'playwright-core';
import {
  answerEnded,
  askQuestion,
  clickInMenu,
  enterText,
  newConversation,
  openInput,
  outcomeOf,
  removeAttachments,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { makePng } from '../../support/pictures.ts';
import { acceptInput } from '../../support/quickInput.ts';
import { openFile } from '../../support/reviewDriver.ts';
import { transferTo } from '../../support/transfer.ts';
import { emulator, folder, workbench } from '../chat/stage.ts';

const png = makePng(60, 40);
/** The largest image takes seconds, and on a busy machine much longer. */
const SCALED_WITHIN = 80_000;

let chat: Frame;

const box = () => chat.getByRole('textbox', { name: 'Message' });
const chips = () => chat.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
const alerts = () => chat.locator('.composer [role="alert"]');
const alertSays = (text: RegExp) =>
  eventually(async () => assert.match(await alerts().innerText({ timeout: 1000 }), text));
const noChips = () => eventually(async () => assert.equal(await chips().count(), 0));

async function writeImages(): Promise<void> {
  await Promise.all([
    // Takes long enough to be scaled that a message can be sent meanwhile.
    writeFile(join(folder, 'large.png'), makePng(2800, 2016)),
    writeFile(join(folder, 'cut.png'), makePng(300, 300, { noise: true }).subarray(0, 9000)),
    writeFile(join(folder, 'drawing.png'), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    writeFile(join(folder, 'small.png'), png),
    writeFile(join(folder, 'other.png'), makePng(30, 30)),
  ]);
}

async function startAnew(): Promise<void> {
  chat = await workbench.chat();
  // A failed test may have left something: an empty conversation is reused as the new one.
  await removeAttachments(chat);
  chat = await newConversation(workbench);
}

/** Picks a file as a user does: types the path, and accepts it when the dialog has found it. */
async function attachFile(name: string): Promise<void> {
  const dialog = await openInput(workbench, 'Add Image to Chat', () =>
    workbench.runCommand('K3: Add Image to Chat'),
  );
  // The dialog sets its own path first.
  await dialog.locator('.monaco-list-row').first().waitFor();
  await dialog.locator('input[type="text"]').first().fill(join(folder, name));
  await dialog.locator('.monaco-list-row.focused', { hasText: name }).waitFor();
  await acceptInput(workbench.page);
  await dialog.waitFor({ state: 'hidden' });
}

async function chipOf(name: string): Promise<Locator> {
  const chip = chips().filter({ hasText: name });
  await chip.locator('img').waitFor({ timeout: SCALED_WITHIN });
  return chip;
}

async function send(text: string): Promise<Locator> {
  await enterText(box(), text);
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  await chat.locator('article[data-outcome]').first().waitFor({ timeout: SCALED_WITHIN });
  return answerEnded(chat);
}

interface SentPart {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

/** The content parts of the last message of the last request. */
function lastSent(): readonly SentPart[] {
  const { messages } = JSON.parse(emulator.requests.at(-1)?.body ?? '');
  const { content } = messages.at(-1);
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

const sentImages = () => lastSent().flatMap(({ image_url }) => image_url?.url ?? []);
const sentText = () => lastSent().flatMap(({ text }) => text ?? []);
const toAddress = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;

describe('An image', () => {
  before(async () => {
    await writeImages();
    // The dialog begins in the folder of the file that was opened last, and takes only a name of that folder at once.
    await openFile(workbench, 'new.txt');
  });
  beforeEach(startAnew);

  describe('that is sent', sent);
  describe('that is not sent', notSent);
});

function sent(): void {
  it('can be larger than the limits: it is scaled, which delays a message that is sent meanwhile', async () => {
    await attachFile('large.png');
    const busy = chips().filter({ hasText: 'Scaling…' });
    await busy.waitFor();
    await workbench.screenshot('image-scaling');
    const answer = await send('What do you see?');
    assert.equal(await outcomeOf(answer), 'complete');
    assert.equal(sentImages().length, 1);
    assert.ok((sentImages()[0]?.length ?? 0) < (3.75 * 1024 * 1024 * 4) / 3 + 40);
    await noChips();
    await workbench.screenshot('image-sent');
    assert.equal(await outcomeOf(await askQuestion(chat, 'And what else?')), 'complete');
  });

  it('can be pasted, is sent byte for byte, can be left out of later requests, and is sent again', async () => {
    await transferTo(chat, 'paste', { files: [{ name: 'boat.png', bytes: png }] });
    await chipOf('boat.png');
    await send('A pasted one');
    assert.deepEqual(sentImages(), [toAddress(png)]);
    const bytes = () => emulator.requests.at(-1)?.body.includes(toAddress(png));
    await chat.getByRole('button', { name: 'Stop sending boat.png' }).press('Enter');
    const again = chat.getByRole('button', { name: 'Send boat.png again' });
    await again.waitFor();
    await askQuestion(chat, 'And now?');
    assert.ok(!bytes());
    await again.press('Enter');
    await chat.getByRole('button', { name: 'Stop sending boat.png' }).waitFor();
    await askQuestion(chat, 'And now again?');
    assert.ok(bytes());
  });

  it('goes with a message that is sent before it is read', async () => {
    await enterText(box(), 'Look at this');
    await transferTo(chat, 'paste', { files: [{ name: 'image.png', bytes: png }], thenEnter: true });
    await chat.locator('article[data-outcome]').first().waitFor({ timeout: SCALED_WITHIN });
    await answerEnded(chat);
    assert.deepEqual([sentText(), sentImages()], [['Look at this'], [toAddress(png)]]);
    assert.equal(await box().inputValue(), '');
    await noChips();
  });

  it('can be dropped with a unique name, and removed', async () => {
    await transferTo(chat, 'drop', { files: [1, 2].map(() => ({ name: 'image.png', bytes: png })) });
    await chipOf('image.png (2)');
    await chat.getByRole('button', { name: 'Remove image.png', exact: true }).click();
    await chips().nth(1).waitFor({ state: 'detached' });
    await send('A dropped one');
    assert.deepEqual(sentImages(), [toAddress(png)]);
  });

  it('can be dropped from the Explorer by its address', async () => {
    await transferTo(chat, 'drop', {
      texts: { 'text/uri-list': `file://${folder}/small.png\r\nfile:///etc/outside.png` },
    });
    await chipOf('small.png');
    await alertSays(/outside\.png is outside the workspace/);
    await send('The one inside');
    assert.deepEqual(sentImages(), [toAddress(png)]);
  });

  it('can be selected in the Explorer, with others', async () => {
    // A click selects a file, and opens none.
    const setClicks = (mode: string) =>
      workbench.execute('settingsOfTests.set', 'workbench.list.openMode', mode);
    const row = (name: string) =>
      workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
    await setClicks('doubleClick');
    try {
      await workbench.execute('workbench.view.explorer');
      await row('other.png').click();
      await row('small.png').click({ modifiers: ['ControlOrMeta'] });
      const selected = workbench.page.locator('.explorer-folders-view .monaco-list-row.selected');
      await selected.nth(1).waitFor();
      await row('small.png').click({ button: 'right' });
      await clickInMenu(workbench.page.locator('.context-view .action-label:has-text("Add Image to Chat")'));
      await row('small.png').waitFor({ state: 'hidden' });
    } finally {
      await setClicks('singleClick');
    }
    chat = await workbench.chat();
    await chipOf('small.png');
    await chipOf('other.png');
    await workbench.screenshot('image-explorer');
    await send('Two from the explorer');
    assert.equal(sentImages().length, 2);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  it('can be an ms:// reference, on its own line or in a sentence', async () => {
    await box().focus();
    await workbench.page.keyboard.type('ms://abc ');
    await chips().filter({ hasText: 'ms://abc' }).waitFor();
    await eventually(async () => assert.equal(await box().inputValue(), ''));
    await send('Compare it with ms://def, please.\nms://ghi');
    assert.deepEqual(sentImages(), ['ms://abc', 'ms://ghi', 'ms://def']);
    assert.deepEqual(sentText(), ['Compare it with ms://def, please.']);
  });
}

function notSent(): void {
  after(() => switchRouteTo(workbench, chat, 'plain'));

  it('can be truncated, or an SVG with another file extension: nothing is attached, and the message keeps its text', async () => {
    await enterText(box(), 'Words that stay');
    await attachFile('cut.png');
    await alertSays(/cut\.png was not attached because it is damaged/);
    await noChips();
    await workbench.screenshot('image-cut');
    await chat.getByRole('button', { name: 'Dismiss' }).click();
    await alerts().waitFor({ state: 'detached' });
    await attachFile('drawing.png');
    await alertSays(/drawing\.png is an SVG image.*Export it as PNG/);
    await noChips();
    assert.equal(await box().inputValue(), 'Words that stay');
    assert.equal(await outcomeOf(await send('Without it, then')), 'complete');
    await alerts().waitFor({ state: 'detached' });
  });

  it('stops a message that was sent meanwhile, which goes with the other one once that is scaled', async () => {
    await enterText(box(), 'Look at both');
    const files = ['large.png', 'cut.png'].map(async (name) => ({
      name,
      bytes: await readFile(join(folder, name)),
    }));
    // In one step, so that the large one is still being scaled when the message is sent.
    await transferTo(chat, 'drop', { files: await Promise.all(files) });
    await chat.getByRole('button', { name: 'Send', exact: true }).click();
    await chat.getByText('Nothing was sent. Your message is kept.').waitFor({ timeout: SCALED_WITHIN });
    assert.equal(await box().inputValue(), 'Look at both');
    const chip = await chipOf('large.png');
    await eventually(async () => {
      assert.match(await chip.innerText(), /scaled from 2,800 × 2,016, about 2,000 tokens/);
      assert.match((await chip.getAttribute('title')) ?? '', /to 2,000 × 1,440 pixels/);
    });
    await workbench.screenshot('image-scaled');
    assert.equal(await outcomeOf(await send('Look at both')), 'complete');
    assert.equal(sentImages().length, 1);
  });

  it('can be a public address that is typed, pasted, or dropped, with an offer to attach a file', async () => {
    const address = 'https://host.example/cat.png';
    const last = emulator.requests.at(-1);
    await enterText(box(), address);
    await chat.getByRole('button', { name: 'Send', exact: true }).click();
    await chat.getByText(`${address} is a public address`).waitFor();
    await workbench.screenshot('image-address');
    assert.equal(await box().inputValue(), address);
    assert.equal(emulator.requests.at(-1), last);
    await chat.getByRole('button', { name: 'Dismiss' }).click();
    await transferTo(chat, 'drop', { texts: { 'text/uri-list': 'https://host.example/dog.png' } });
    await chat.getByText('https://host.example/dog.png is a public address').waitFor();
    await chat.getByRole('button', { name: 'Attach file…' }).click();
    const list = workbench.page.locator('.quick-input-title:has-text("Add to Chat")');
    await list.waitFor();
    // The list may not have the focus yet.
    await eventually(async () => {
      await workbench.page.keyboard.press('Escape');
      await list.waitFor({ state: 'hidden', timeout: 1000 });
    }, 60_000);
    assert.equal(await outcomeOf(await send(`What may be at ${address}?`)), 'complete');
    assert.deepEqual(sentText(), [`What may be at ${address}?`]);
  });

  it('can be too large for the service, with an offer to send a smaller one', async () => {
    await switchRouteTo(workbench, chat, 'small');
    await transferTo(chat, 'paste', {
      files: [{ name: 'image.png', bytes: makePng(740, 740, { noise: true }) }],
    });
    await chipOf('image.png');
    const failed = await send('Too much for you?');
    assert.equal(await outcomeOf(failed), 'failed');
    await workbench.screenshot('image-too-large');
    assert.match(sentImages()[0] ?? '', /^data:image\/png/);
    await failed.getByRole('button', { name: 'Stop sending the oldest images' }).waitFor();
    await failed.getByRole('button', { name: 'Send smaller images' }).click();
    await chat.locator('article[data-outcome="complete"]').waitFor({ timeout: 60_000 });
    assert.match(sentImages()[0] ?? '', /^data:image\/jpeg/);
  });
}
