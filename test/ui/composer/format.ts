/**
 * Structured answers in a real workbench: a schema is picked, and the answer is a tree with its errors and can be
 * corrected.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import type { Frame, Locator } from 'playwright-core';
import { createDeferred } from '../../../src/service/deferred.ts';
import {
  answerEnded,
  askQuestion,
  enterText,
  focusChat,
  newConversation,
  openInput,
  sendQuestion,
  switchRouteTo,
  toggleTheme,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { acceptInput, pickRow } from '../../support/quickInput.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { emulator, folder, scripted, workbench } from '../chat/stage.ts';

const boat = {
  title: 'boat',
  type: 'object',
  required: ['name', 'parts'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    parts: {
      type: 'array',
      items: {
        type: 'object',
        properties: { size: { type: 'object', properties: { m: { type: 'number' } } } },
      },
    },
  },
};

let chat: Frame;
let outside: string;

const pick = () => workbench.page.locator('.quick-input-widget:visible');
const button = () => chat.getByRole('button', { name: 'Answer format', exact: true });
const box = () => chat.getByRole('textbox', { name: 'Message' });
const alerts = () => chat.locator('.composer [role="alert"]');
const viewOf = (answer: Locator, name: string) =>
  answer.getByRole('group', { name: `Structured answer, ${name}`, exact: true });

async function startAnew(): Promise<void> {
  chat = await newConversation(workbench);
}

/** Opens the quick pick of formats from the composer and picks an item. */
async function choose(label: string): Promise<void> {
  await openInput(workbench, 'Answer format', () => button().click());
  await pickRow(workbench.page, label, label, 60_000);
}

const chosen = (label: string) => chat.locator(`button.format[title$="(${label})"]`).waitFor();

const writeBoat = () => writeFile(join(folder, 'boat.schema.json'), JSON.stringify(boat, undefined, 2));

describe('The answer format', () => {
  before(async () => {
    outside = await mkdtemp(join(tmpdir(), 'k3-outside-'));
    await Promise.all([
      writeBoat(),
      writeFile(join(folder, 'broken.schema.json'), '{\n  "type": object\n}'),
      writeFile(
        join(folder, 'wrong.schema.json'),
        '{"type": "object", "properties": {"a": {"type": "strnig"}}}',
      ),
      writeFile(join(outside, 'far.json'), JSON.stringify({ ...boat, title: 'far' })),
    ]);
    chat = await focusChat(workbench);
  });

  after(() => removeFolder(outside));

  beforeEach(async () => {
    // A conversation without a question would be reused as the new one, with its format.
    if ((await chat.locator('article').count()) > 0) await startAnew();
    if ((await chat.locator('button.format[title$="(Text)"]').count()) === 0) await choose('Text');
    await chosen('Text');
    // The text of a test that failed would stay, too.
    await box().fill('');
  });

  it('is text until a schema of the workspace is picked, which the button, the request, and each attempt have', async () => {
    await chosen('Text');
    await choose('boat.schema.json');
    await chosen('boat');
    const answer = await askQuestion(chat, 'Which boat?');
    const view = viewOf(answer, 'boat');
    await view.getByText('Matches the schema').waitFor();
    const sent = () => JSON.parse(emulator.requests.at(-1)?.body ?? '').response_format;
    assert.deepEqual(sent(), { type: 'json_schema', json_schema: { name: 'boat', schema: boat } });
    assert.match(await answer.getByRole('list', { name: 'Response checks' }).innerText(), /Parameters/);
    await choose('Text');
    await chosen('Text');
    await answer.getByRole('button', { name: 'Regenerate' }).click();
    await chat.getByText('2 / 2').waitFor();
    await answerEnded(chat);
    assert.equal(sent().json_schema.name, 'boat');
    await askQuestion(chat, 'And in words?');
    assert.equal(sent(), undefined);
  });

  it('can be any JSON object', async () => {
    await choose('JSON');
    await chosen('JSON');
    const answer = await askQuestion(chat, 'Which boat?');
    await viewOf(answer, 'JSON').getByText('A JSON object').waitFor();
    assert.deepEqual(JSON.parse(emulator.requests.at(-1)?.body ?? '').response_format, {
      type: 'json_object',
    });
  });

  it('shows the wrong field or line of an invalid schema, and keeps the draft and the previous format', async () => {
    await enterText(box(), 'Half a question');
    await choose('broken.schema.json');
    await alerts()
      .filter({ hasText: /broken\.schema\.json is not a JSON Schema.*line 2, column 11/ })
      .waitFor();
    await workbench.screenshot('format-refused');
    await choose('wrong.schema.json');
    await alerts()
      .filter({ hasText: /not a valid schema\. \/properties\/a\/type: must be one of .*\.$/ })
      .waitFor();
    await chosen('Text');
    assert.equal(await box().inputValue(), 'Half a question');
    await choose('boat.schema.json');
    await chosen('boat');
    await eventually(async () => assert.equal(await alerts().count(), 0));
    await box().fill('');
  });

  it('can be pasted, and errors are shown in the input box', async () => {
    await choose('Paste a Schema…');
    await pick().locator('.quick-input-title:has-text("Paste a Schema")').waitFor();
    const input = pick().locator('input[type="text"]').first();
    await input.fill('{"type": "array"}');
    await pick().getByText('“type” must be “object”').first().waitFor();
    await input.fill(JSON.stringify({ type: 'object', properties: { name: { type: 'string' } } }));
    await pick().getByText('“type” must be “object”').first().waitFor({ state: 'hidden' });
    await acceptInput(workbench.page);
    await chosen('answer');
  });

  it('can be written in an untitled editor', async () => {
    await workbench.execute('workbench.action.files.newUntitledFile');
    await workbench.page.locator('.editor-instance .view-lines').first().click();
    await workbench.page.keyboard.insertText('{ "title": "draft", "type": "object" }');
    await choose('From the Editor');
    await chosen('draft');
    await workbench.execute('workbench.action.revertAndCloseActiveEditor');
    await workbench.page.locator('.editor-instance .view-lines').first().waitFor({ state: 'detached' });
  });

  it('is read from a file outside the workspace only after the user agrees', async () => {
    const take = async () => {
      await choose('From a File…');
      await pick().locator('.quick-input-title:has-text("Choose a Schema")').waitFor();
      await pick().locator('.monaco-list-row').first().waitFor();
      await pick().locator('input[type="text"]').first().fill(join(outside, 'far.json'));
      // The dialog has opened the folder when it shows its content.
      await pick().locator('.monaco-list-row', { hasText: 'far.json' }).waitFor();
      await acceptInput(workbench.page);
      return workbench.page.getByRole('dialog').filter({ hasText: 'It is outside the workspace.' });
    };
    await (await take()).getByRole('button', { name: 'Cancel' }).click();
    await chosen('Text');
    await (await take()).getByRole('button', { name: 'Allow in This Window', exact: true }).click();
    await chosen('far');
  });
});

/** Of a narrow window, and of a dark theme. */
async function takeOtherPictures(): Promise<void> {
  try {
    await workbench.resize(560, 800);
    await workbench.screenshot('format-errors-narrow');
  } finally {
    await workbench.resize(1280, 800);
  }
  await toggleTheme(workbench, chat);
  await workbench.screenshot('format-errors-dark');
  await toggleTheme(workbench, chat);
}

describe('A structured answer', () => {
  const answers = () => chat.locator('article[data-outcome]');

  // One conversation for all, which keeps the format.
  before(async () => {
    await writeBoat();
    await startAnew();
    await switchRouteTo(workbench, chat, 'scripted');
    await choose('boat.schema.json');
    await chosen('boat');
  });

  it('is shown as a tree with keyboard navigation, and as the received text', async () => {
    const text = '{"name": "Argo", "parts": [{"size": {"m": 12.50}}, {}]}';
    scripted.respondWith(text);
    const view = viewOf(await askQuestion(chat, 'Which boat?'), 'boat');
    await view.getByText('Matches the schema').waitFor();
    const items = view.getByRole('tree').getByRole('treeitem');
    const itemsAre = (count: number) => eventually(async () => assert.equal(await items.count(), count));
    await itemsAre(5);
    await items.first().focus();
    const page = workbench.page.keyboard;
    for (const key of ['End', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
      await page.press(key);
    await view.locator('[role="treeitem"][aria-label="m: 12.50"][aria-level="5"]:focus').waitFor();
    await page.press('Home');
    await view.locator('[role="treeitem"][aria-label="Entire answer: {2}"][aria-level="1"]:focus').waitFor();
    await page.press('ArrowLeft');
    await itemsAre(1);
    await page.press('Enter');
    await workbench.screenshot('format-tree');
    await view.getByRole('button', { name: 'Text', exact: true }).click();
    await eventually(async () => assert.equal(await view.locator('pre').innerText(), text));
    assert.equal(await view.getByRole('tree').count(), 0);
    await workbench.screenshot('format-text');
    await view.getByRole('button', { name: 'Tree', exact: true }).click();
    await items.first().waitFor();
  });

  it('is saved unchanged', async () => {
    const text = '{"name": "Argo",\n "parts": []}';
    scripted.respondWith(text);
    const view = viewOf(await askQuestion(chat, 'Which boat?'), 'boat');
    await openInput(workbench, 'Save Answer', () => view.getByRole('button', { name: 'Save as…' }).click());
    const path = join(folder, 'saved.json');
    const until = Date.now() + 60_000;
    const read = () => readFile(path, 'utf8').catch(() => undefined);
    const input = pick().locator('input[type="text"]').first();
    // The dialog reads its folder first, and then replaces what was typed meanwhile with its own path.
    while ((await read()) !== text && Date.now() < until) {
      await workbench.page.waitForTimeout(500);
      const shown = await input.inputValue({ timeout: 500 }).catch(() => path);
      if (shown !== path) await input.fill(path);
      else await input.press('Enter', { timeout: 500 }).catch(() => {});
    }
    assert.equal(await read(), text);
  });

  it('shows each schema error at its value, and can be corrected by the model', async () => {
    scripted.respondWith('{"name": 7, "parts": [{}, {"size": {"m": "wide"}}], "colour": "red"}');
    const answer = await askQuestion(chat, 'Which boat?');
    const view = viewOf(answer, 'boat');
    await view.getByText('Doesn’t match the schema: 3 errors').waitFor();
    await eventually(async () =>
      assert.match(
        await answer.getByRole('list', { name: 'Response checks' }).innerText(),
        /json_schema boat/,
      ),
    );
    const item = (name: string) => view.getByRole('treeitem', { name, exact: true });
    await item('name: 7, must be of type string').waitFor();
    await item('m: "wide", must be of type number').waitFor();
    await item('colour: "red", is not allowed').waitFor();
    await view.getByRole('list', { name: 'Errors' }).getByRole('button', { name: '/parts/1/size/m' }).click();
    await eventually(async () =>
      assert.equal(
        await view.locator('[role="treeitem"]:focus').getAttribute('aria-label', { timeout: 1000 }),
        'm: "wide", must be of type number',
      ),
    );
    await view.scrollIntoViewIfNeeded();
    await workbench.screenshot('format-errors-light');
    if (workbench.takesPictures) await takeOtherPictures();
    scripted.respondWith('{"name": "Argo", "parts": []}');
    const before = await answers().count();
    await view.getByRole('button', { name: 'Ask for correction' }).click();
    await viewOf(answers().nth(before), 'boat').getByText('Matches the schema').waitFor();
    const { messages, response_format } = scripted.requests.at(-1) ?? { messages: [] };
    const question = messages.at(-1)?.content ?? '';
    for (const line of [
      '- /colour: is not allowed',
      '- /name: must be of type string',
      '- /parts/1/size/m: must be of type number',
    ])
      assert.ok(question.includes(line), question);
    assert.deepEqual(response_format, { type: 'json_schema', json_schema: { name: 'boat', schema: boat } });
    await chat.getByRole('button', { name: 'Ask for correction' }).waitFor({ state: 'detached' });
  });

  it('that is not JSON is shown as text with the position of the error, and can be corrected by the model', async () => {
    scripted.respondWith('{\n  "name": Argo\n}');
    const view = viewOf(await askQuestion(chat, 'Which boat?'), 'boat');
    await view.getByText('at line 2, column 11').waitFor();
    await eventually(async () => assert.equal(await view.locator('mark').innerText(), 'A'));
    assert.equal(await view.getByRole('tree').count(), 0);
    await workbench.screenshot('format-not-json');
    scripted.respondWith('{"name": "Argo", "parts": []}');
    const before = await answers().count();
    await view.getByRole('button', { name: 'Ask for correction' }).click();
    await viewOf(answers().nth(before), 'boat').getByText('Matches the schema').waitFor();
    assert.match(scripted.requests.at(-1)?.messages.at(-1)?.content ?? '', /line 2, column 11/);
  });

  it('that was cut off is not checked, although it is JSON', async () => {
    scripted.respondWith('{"name": "Argo", "parts": []}', { finishReason: 'length' });
    const view = viewOf(await askQuestion(chat, 'Which boat?'), 'boat');
    await view.getByText('Incomplete, not checked').waitFor();
    assert.equal(await view.getByRole('tree').count(), 0);
    await workbench.screenshot('format-cut');
  });

  it('is shown in windows when it is large', async () => {
    scripted.respondWith(JSON.stringify({ name: 'Fleet', parts: Array.from({ length: 2000 }, () => ({})) }));
    const view = viewOf(await askQuestion(chat, 'Which boat?'), 'boat');
    await view.getByText('Matches the schema').waitFor();
    const items = view.getByRole('treeitem');
    await eventually(async () => assert.equal(await items.count(), 100));
    await items.first().focus();
    await workbench.page.keyboard.press('End');
    await view.locator('[role="treeitem"][aria-posinset="2000"]:focus').waitFor();
    assert.equal(await items.count(), 100);
    await workbench.screenshot('format-large');
  });

  it('is shown as a code block while it streams', async () => {
    const seen = createDeferred<void>();
    scripted.respondWith(JSON.stringify({ name: 'Argo '.repeat(60), parts: [] }), { until: seen.promise });
    await sendQuestion(chat, 'Which boat?');
    const running = chat.locator('article[data-outcome="running"]');
    try {
      await running.getByRole('group', { name: 'Code, json' }).getByText('Argo Argo').waitFor();
      assert.equal(await running.getByRole('group', { name: 'Structured answer, boat' }).count(), 0);
      await workbench.screenshot('format-growing');
    } finally {
      seen.resolve();
    }
    const answer = await answerEnded(chat);
    await viewOf(answer, 'boat').getByRole('tree').waitFor();
    await answer.getByRole('group', { name: 'Code, json' }).waitFor({ state: 'detached' });
  });

  it('keeps in the queue the format that the message was sent with', async () => {
    const before = await answers().count();
    const queued = createDeferred<void>();
    scripted.respondWith('{"name": "Argo", "parts": []}', { until: queued.promise });
    scripted.respondWith('{"name": "Beagle", "parts": []}');
    await sendQuestion(chat, 'Which boat?');
    try {
      await enterText(box(), 'Which other boat?');
      await chat.getByRole('button', { name: 'Send', exact: true }).click();
      await chat.getByRole('list', { name: 'Queued messages' }).waitFor();
      await choose('Text');
    } finally {
      queued.resolve();
    }
    await viewOf(answers().nth(before + 1), 'boat')
      .getByText('Matches the schema')
      .waitFor();
    await chosen('Text');
  });
});
