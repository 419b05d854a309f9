/** A proposal from the question to the last hunk, as a person reviews it, on files of every kind; byte for byte. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { answerEnded, outcomeOf } from '../support/chatDriver.ts';
import {
  clickLens,
  comment,
  focusEditor,
  hunksAre,
  openFile,
  runOnAll,
  save,
} from '../support/reviewDriver.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

const KEY = 'ui-test-key';

const CODE = `// A small shop.
var total = 0;

function sum(items) {
  var result = new Array();
  for (const item of items) result.push(item);
  return result;
}

function same(a, b) {
  return a == b;
}
`;

/** The demo model replaces `var`, `new Array()` and `==`: three hunks in each of these. */
const FILES: Readonly<Record<string, string>> = {
  'plain.js': CODE,
  'crlf.js': CODE.replaceAll('\n', '\r\n'),
  'unended.js': CODE.trimEnd(),
  'tabs.js': CODE.replaceAll('  ', '\t'),
  'emoji.js': CODE.replace('A small shop.', '👩‍👩‍👧 e\u0301 שלום 한국어').replace(
    'total = 0',
    "total = '🏴󠁧󠁢󠁥󠁮󠁧󠁿'",
  ),
};

let emulator: Emulator;
let workbench: Workbench;
let chat: Frame;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'k3-review-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  emulator = await startEmulator({ port: 0, route: 'direct', key: KEY, tokensPerSecond: 4000 });
  workbench = await startWorkbench({
    folder,
    width: 1400,
    height: 1000,
    env: { K3_API_KEY: KEY },
    settings: {
      'k3.routes': { plain: { kind: 'direct', baseUrl: emulator.url } },
      'k3.route': 'plain',
      'comments.openView': 'never',
    },
  });
  await workbench.runCommand('K3: Focus Chat');
  chat = await workbench.chat();
});

after(async () => {
  await workbench?.dispose();
  await emulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

afterEach(async function () {
  if (this.currentTest?.state === 'failed') await workbench.screenshot('review-failed');
});

const bytesOf = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Asks with a command about the whole of the open file, and waits for the answer. */
async function askAboutAll(command: string, words?: string): Promise<void> {
  const { page } = workbench;
  const answers = await chat.locator('article[data-outcome]').count();
  await runOnAll(workbench, command);
  if (words !== undefined) {
    await page.locator('.quick-input-title', { hasText: 'Refactor' }).waitFor();
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
  }
  await chat.locator('article[data-outcome]').nth(answers).waitFor();
  assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
}

async function startAnew(name: string): Promise<void> {
  await workbench.runCommand('K3: New Conversation');
  chat = await workbench.chat();
  await chat.locator('article').first().waitFor({ state: 'detached' });
  await openFile(workbench, name);
}

const group = (file: string) => chat.getByRole('group', { name: `Proposal, ${file}`, exact: true }).last();

describe('A proposal, hunk by hunk', () => {
  for (const [name, before] of Object.entries(FILES)) {
    it(`leaves ${name} byte for byte as decided, at every step`, async () => {
      const { page } = workbench;
      const first = before.replace('var total', 'let total');
      const end = before.includes('\r\n') ? '\r\n' : '\n';
      const indent = name === 'tabs.js' ? '\t' : '  ';
      const revised = first.replace(
        `${indent}var result = new Array();`,
        `${indent}// As remarked: Say why it is a list.${end}${indent}let result = [];`,
      );

      await startAnew(name);
      await askAboutAll('K3: Refactor…', 'Make it modern');
      await hunksAre(workbench, 3);
      assert.equal(bytesOf(name), before, 'nothing is written before the reader says so');

      await clickLens(workbench, 'Accept', 0);
      await hunksAre(workbench, 2);
      await save(workbench);
      assert.equal(bytesOf(name), first, 'after accepting the first');

      await comment(workbench, 0, 'Say why it is a list.');
      await clickLens(workbench, 'Reject', 1);
      await hunksAre(workbench, 1);
      await group(name).getByText('1 open, 1 accepted, 1 rejected').waitFor();
      await save(workbench);
      assert.equal(bytesOf(name), first, 'after a comment and a rejection');

      await workbench.runCommand('K3: Send Review');
      await chat.locator('article[data-outcome]').nth(1).waitFor();
      assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
      await group(name).getByText('1 open, 0 accepted, 0 rejected').waitFor();
      await page.locator('.review-widget', { hasText: '// As remarked' }).first().waitFor();
      await hunksAre(workbench, 1);
      // The editor asks for the words above the lines some time after the threads; nobody reads a revision that fast.
      await page.waitForTimeout(1500);

      await clickLens(workbench, 'Accept', 0);
      await hunksAre(workbench, 0);
      await save(workbench);
      assert.equal(bytesOf(name), revised, 'after accepting the revision');

      await focusEditor(workbench);
      await page.keyboard.press('Control+Z');
      await hunksAre(workbench, 1);
      await save(workbench);
      assert.equal(bytesOf(name), first, 'after undoing the revision');

      await page.keyboard.press('Control+Z');
      await page.locator('.view-line', { hasText: 'var total' }).waitFor();
      await save(workbench);
      assert.equal(bytesOf(name), before, 'after undoing the first hunk');
      await clickLens(workbench, 'Reject', 0);
    });
  }
});
