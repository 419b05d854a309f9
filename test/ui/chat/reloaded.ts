/**
 * What is there after a reload of the window, in a real workbench: an answer that was running, edited questions, a structured
 * answer, two previews of attempts, and the selection of tools. They share one reload, which costs as much as ten questions.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Frame, Locator } from 'playwright-core';
import {
  answerEnded,
  askQuestion,
  clickInMenu,
  enterText,
  focusChat,
  lastAnswerOf,
  newConversation,
  openInput,
  openInTab,
  outcomeOf,
  sendQuestion,
  sideBarChat,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { inSteps } from '../../support/leftovers.ts';
import { acceptInput, pickRow } from '../../support/quickInput.ts';
import { scripted, settings, workbench } from './stage.ts';

const boat = {
  title: 'boat',
  type: 'object',
  properties: { name: { type: 'string' }, parts: { type: 'array' } },
};

/** The one of the side bar. */
let chat: Frame;
/** The one of a tab, where an answer was running. */
let tab: Frame;
/** What the service had sent of the running answer. */
let sent = '';
let sentBefore: string;
let prompts: string;
/** The texts of two previews. */
let previews: readonly string[];
/** How many tools were chosen. */
let tools: string | null;

const switchRoute = (name: string) => switchRouteTo(workbench, chat, name);
const boxOf = (frame: Frame) => frame.getByRole('textbox', { name: 'Message' });
const queueOf = (frame: Frame) => frame.getByRole('list', { name: 'Queued messages' });
const formatIsBoat = () => chat.locator('button.format[title$="(boat)"]').waitFor();
const presetIsReview = () => chat.locator('button[data-value="Review"]').waitFor();
const toolsIn = (frame: Frame) =>
  frame.getByRole('button', { name: 'Tools', exact: true }).getAttribute('data-value');
const waitForValue = (box: Locator, value: string) =>
  eventually(async () => assert.equal(await box.inputValue(), value));

async function startAnew(): Promise<void> {
  chat = await newConversation(workbench);
}

/** The first frame for which this is true. */
function frameWith(isIt: (frame: Frame) => Promise<boolean>): Promise<Frame> {
  return eventually(async () => {
    for (const frame of workbench.page.frames()) if (await isIt(frame).catch(() => false)) return frame;
    throw new Error('No page has it.');
  });
}

/** The texts of the two previews of attempts, sorted. */
async function previewsAre(): Promise<readonly string[]> {
  return await eventually(async () => {
    const texts = await Promise.all(
      workbench.page.frames().map((frame) =>
        frame
          .locator('body')
          .innerText({ timeout: 1000 })
          // A frame that is being loaded, or is gone.
          .catch(() => ''),
      ),
    );
    const found = texts.map((text) => text.trim()).filter((text) => /^Attempt \d/.test(text));
    assert.equal(found.length, 2, JSON.stringify(texts.map((text) => text.slice(0, 80))));
    return found.toSorted();
  });
}

/** Two attempts, as text to read beside each other. The tabs that are opened next cover one of them. */
async function leaveRendered(): Promise<void> {
  await chat.getByRole('button', { name: 'Regenerate' }).last().click();
  await chat
    .getByText(/2 ?[/] ?2/)
    .first()
    .waitFor();
  await answerEnded(chat);
  await workbench.execute('k3.compareAttempts');
  await workbench.page.locator('.monaco-diff-editor .modified .view-lines').first().click();
  await workbench.runCommand('K3: Show Rendered Attempts');
  previews = await previewsAre();
  await workbench.screenshot('rendered-attempts');
  for (const attempt of [1, 2]) await workbench.kept(`k3-attempt-rendered:/Attempt%20${attempt}`);
}

/** One tool fewer than there are. */
async function leaveTools(): Promise<void> {
  const all = await toolsIn(chat);
  const list = await openInput(workbench, 'Tools for svc-k3', () =>
    chat.getByRole('button', { name: 'Tools', exact: true }).click(),
  );
  await list.locator('input[type="text"]').first().fill('find_files');
  await list.locator('.monaco-list-row:has-text("find_files")').first().click();
  await acceptInput(workbench.page);
  await eventually(async () => assert.notEqual(await toolsIn(chat), all));
  tools = await toolsIn(chat);
}

/** In a tab: an answer runs, and its conversation has a queue and a draft. */
async function leaveRunning(): Promise<void> {
  await startAnew();
  await switchRoute('scripted');
  scripted.respondWith('Here is the whole of it, at length. '.repeat(1000), {
    everyMs: 400,
    onSent(piece) {
      sent += piece;
    },
  });
  await sendQuestion(chat, 'Explain the whole of src/greeting.ts at length');
  tab = await openInTab(workbench);
  await startAnew();
  await tab.locator('[data-part="answer"]').waitFor({ state: 'attached' });
  await enterText(boxOf(tab), 'Then this one');
  await boxOf(tab).press('Enter');
  await queueOf(tab).getByText('Then this one').waitFor();
  await enterText(boxOf(tab), 'a thought of gannets');
  await workbench.kept('Then this one');
  await workbench.kept('a thought of gannets');
}

/** In the side bar: a conversation with a format and a preset. */
async function leaveStructured(): Promise<void> {
  await openInput(workbench, 'Answer format', () =>
    chat.getByRole('button', { name: 'Answer format', exact: true }).click(),
  );
  await pickRow(workbench.page, 'Paste a Schema…', 'Paste a Schema…', 60_000);
  const input = workbench.page.locator('.quick-input-widget:visible', { hasText: 'Paste a Schema' });
  await input.locator('input[type="text"]').first().fill(JSON.stringify(boat));
  await acceptInput(workbench.page);
  await formatIsBoat();
  scripted.respondWith('{"name": "Argo", "parts": []}');
  scripted.respondWith('{"name": 7, "parts": []}');
  await askQuestion(chat, 'Which birds wade?');
  await askQuestion(chat, 'Which birds dive?');
  await chat.getByRole('button', { name: 'Preset', exact: true }).click();
  await pickRow(workbench.page, 'Review', 'Review', 60_000);
  await presetIsReview();
}

/** The same conversation in a tab, where an edited question is being sent, while the side bar edits another one. */
async function leaveEdited(): Promise<void> {
  const edit = async (frame: Frame, question: string, text: string) => {
    await frame
      .locator('article.you', { hasText: question })
      .getByRole('button', { name: 'Edit' })
      .click({ timeout: 60_000 });
    await enterText(frame.getByRole('textbox', { name: 'Edit' }), text);
  };
  // The tab may be in front, because the side bar gets the focus late after a list was closed.
  await workbench.execute('k3.sideBar.openInEditor');
  const other = await frameWith(
    async (frame) => frame !== chat && (await frame.locator('article.you').count()) === 2,
  );
  await edit(other, 'Which birds wade?', '/wade as herons do');
  await other.getByRole('textbox', { name: 'Edit' }).press('Enter');
  // It is on its way until its input is confirmed.
  await workbench.page.locator('.quick-input-widget', { hasText: '/wade' }).waitFor();
  await edit(chat, 'Which birds dive?', 'Which birds dive like gannets?');
  await workbench.kept('as herons do');
  await workbench.kept('like gannets');
}

describe('After a reload of the window', () => {
  inSteps();

  before(async () => {
    prompts = await mkdtemp(join(tmpdir(), 'k3-edited-'));
    await writeFile(join(prompts, 'wade.prompt.md'), `How do they wade $\{input:how}?`);
    await workbench.updateSettings(settings({ 'k3.prompts': prompts }));
    await focusChat(workbench);
    await startAnew();
    await leaveTools();
    await askQuestion(chat, 'What is a cormorant?');
    await leaveRendered();
    chat = await focusChat(workbench);
    await enterText(boxOf(chat), 'and its nest');
    await workbench.kept('and its nest');
    await leaveRunning();
    await leaveStructured();
    await leaveEdited();
    sentBefore = sent;
    await workbench.reload();
    await focusChat(workbench);
    chat = await sideBarChat(workbench);
    await boxOf(chat).waitFor();
  });

  after(async () => {
    scripted.forget();
    await workbench.updateSettings(settings());
    await rm(prompts, { recursive: true });
  });

  it('a structured answer is restored after a reload, together with the picked format', async () => {
    await formatIsBoat();
    await presetIsReview();
    const view = lastAnswerOf(chat).getByRole('group', { name: 'Structured answer, boat', exact: true });
    await view.getByText('Doesn’t match the schema: 1 error').waitFor();
  });

  it('an edited question that is being sent is there, beside the one that another panel edits', async () => {
    // Of the panels with this conversation, the one whose page is loaded first has it.
    const edits = (frame: Frame) => frame.getByRole('textbox', { name: 'Edit' });
    const again = await frameWith(async (frame) => (await edits(frame).count()) > 0);
    await waitForValue(edits(again), 'Which birds dive like gannets?');
    await waitForValue(boxOf(chat), '/wade as herons do');
    await edits(again).press('Escape');
    await boxOf(chat).fill('');
  });

  it('two attempts are shown as text to read in their previews', async () => {
    const { page } = workbench;
    assert.match(previews.join('\n'), /Attempt 1[\s\S]*Attempt 2/);
    // One of them is loaded when its tab is selected.
    await page.locator('.tab', { hasText: /^Attempt 2/ }).click();
    // The check of an answer format comes later.
    await eventually(async () => assert.deepEqual(await previewsAre(), previews));
    await workbench.screenshot('rendered-attempts-after-reload');
  });

  it('a conversation is restored as interrupted when an answer was running, with its queue and draft', async () => {
    await workbench.page.locator('.tab', { hasText: 'Explain the whole of' }).click();
    tab = await frameWith((frame) =>
      frame.locator('article.you', { hasText: 'Explain the whole of' }).isVisible(),
    );
    const answer = lastAnswerOf(tab);
    await eventually(async () => assert.equal(await outcomeOf(answer), 'interrupted'));
    const kept = (await answer.locator('[data-part="answer"]').textContent()) ?? '';
    assert.ok(kept.startsWith(sentBefore.slice(0, -40)) && sentBefore.length > 40, `${sentBefore}\n${kept}`);
    assert.ok((await answer.locator('[data-part="reasoning"]').textContent())?.length);
    await queueOf(tab).getByText('Then this one').waitFor();
    await waitForValue(boxOf(tab), 'a thought of gannets');
    await workbench.screenshot('interrupted');
  });

  it('can be continued after that', async () => {
    await tab.getByRole('button', { name: 'Remove Then this one' }).click();
    await boxOf(tab).fill('');
    await switchRoute('plain');
    await lastAnswerOf(tab).getByRole('button', { name: 'Continue' }).click();
    await tab.locator('article[data-outcome]').nth(1).waitFor({ state: 'attached' });
    assert.equal(await outcomeOf(await answerEnded(tab)), 'complete');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  it('a conversation is found by its text, and opened with its draft', async () => {
    chat = await focusChat(workbench);
    await startAnew();
    const search = await openInput(workbench, 'Search Conversations', () =>
      workbench.runCommand('K3: Search Conversations…'),
    );
    await search.locator('input[type="text"]').first().fill('cormor');
    const row = workbench.page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'cormorant' })
      .first();
    await row.waitFor();
    await workbench.screenshot('search');
    // A press on a row that is drawn anew before it is released is lost.
    await clickInMenu(row);
    await chat.locator('article.you', { hasText: 'cormorant' }).waitFor();
    await waitForValue(boxOf(chat), 'and its nest');
    await boxOf(chat).fill('');
  });

  it('the selection of tools is kept for the workspace', async () => {
    await eventually(async () => assert.equal(await toolsIn(chat), tools));
  });
});
