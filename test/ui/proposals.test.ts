/** What else can be done with a proposal in the real workbench: the chat's buttons, diffs, reload, code blocks. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { answerEnded, askQuestion, outcomeOf } from '../support/chatDriver.ts';
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
const CODE = 'var a = 1;\n\nfunction same(b, c) {\n  return b == c;\n}\n\nvar d = new Array();\n';
const TAKEN = 'let a = 1;\n\nfunction same(b, c) {\n  return b === c;\n}\n\nlet d = [];\n';

let emulator: Emulator;
let workbench: Workbench;
let chat: Frame;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'k3-proposals-'));
  for (const name of ['chat.js', 'diff.js', 'kept.js', 'keys.js', 'preview.js', 'block.js'])
    writeFileSync(join(folder, name), CODE);
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
  if (this.currentTest?.state === 'failed')
    await workbench.screenshot(`proposals-failed-${this.currentTest.title.slice(0, 20)}`);
});

const bytesOf = (name: string) => readFileSync(join(folder, name), 'utf8');
const group = (file: string) => chat.getByRole('group', { name: `Proposal, ${file}`, exact: true }).last();

/** A proposal of three hunks for a file, in a new conversation. */
async function propose(name: string): Promise<void> {
  await workbench.runCommand('K3: New Conversation');
  chat = await workbench.chat();
  await chat.locator('article').first().waitFor({ state: 'detached' });
  await openFile(workbench, name);
  await runOnAll(workbench, 'K3: Fix');
  await chat.locator('article[data-outcome]').waitFor();
  assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
}

/** The same with three hunks: the demo fixes less than it refactors. */
async function refactor(name: string): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand('K3: New Conversation');
  chat = await workbench.chat();
  await chat.locator('article').first().waitFor({ state: 'detached' });
  await openFile(workbench, name);
  await runOnAll(workbench, 'K3: Refactor…');
  await page.locator('.quick-input-title', { hasText: 'Refactor' }).waitFor();
  await page.keyboard.press('Enter');
  await chat.locator('article[data-outcome]').waitFor();
  assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
  await hunksAre(workbench, 3);
}

describe('A proposal in the chat', () => {
  it('counts its hunks, and takes all of them at once', async () => {
    await refactor('chat.js');
    await group('chat.js').getByText('3 open, 0 accepted, 0 rejected').waitFor();
    for (const name of ['Review', 'Open Diff', 'Accept all', 'Reject all'])
      assert.equal(await group('chat.js').getByRole('button', { name, exact: true }).count(), 1, name);
    await group('chat.js').getByRole('button', { name: 'Accept all' }).click();
    await group('chat.js').getByText('0 open, 3 accepted, 0 rejected').waitFor();
    await focusEditor(workbench);
    await save(workbench);
    assert.equal(bytesOf('chat.js'), TAKEN);
    await workbench.page.keyboard.press('Control+Z');
    await hunksAre(workbench, 3);
    await group('chat.js').getByRole('button', { name: 'Reject all' }).click();
    await hunksAre(workbench, 0);
    await save(workbench);
    assert.equal(bytesOf('chat.js'), CODE);
  });

  it('shows what it changes instead of the form that it came in', async () => {
    await propose('block.js');
    const answer = chat.locator('[data-part="answer"]').last();
    assert.doesNotMatch(await answer.innerText(), /"explanation"|"find"/);
    assert.match(await answer.innerText(), /-\s+return b == c;[\s\S]*\+\s+return b === c;/);
    await group('block.js').getByRole('button', { name: 'Reject all' }).click();
  });
});

describe('A review', () => {
  it('is a native diff as well', async () => {
    await refactor('diff.js');
    await clickLens(workbench, 'Open Diff');
    const { page } = workbench;
    await page.locator('.tab.active', { hasText: 'Proposal: diff.js' }).waitFor();
    await page
      .locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'let d = [];' })
      .waitFor();
    await page
      .locator('.monaco-diff-editor .editor.original .view-line', { hasText: 'var d = new Array();' })
      .first()
      .waitFor();
    await workbench.screenshot('review-diff');
    await workbench.runCommand('View: Close Editor');
    await workbench.runCommand('K3: Reject All Hunks');
    await hunksAre(workbench, 0);
  });

  it('goes by keys and commands alone', async () => {
    await refactor('keys.js');
    const { page } = workbench;
    await focusEditor(workbench);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+K');
    await page.keyboard.press('a');
    await hunksAre(workbench, 2);
    await page.keyboard.press('Control+K');
    await page.keyboard.press('n');
    await page.locator('.statusbar-item', { hasText: 'Ln 4, Col 1' }).waitFor();
    await page.keyboard.press('Control+K');
    await page.keyboard.press('x');
    await hunksAre(workbench, 1);
    await workbench.runCommand('K3: Next Hunk');
    await page.locator('.statusbar-item', { hasText: 'Ln 7, Col 1' }).waitFor();
    await workbench.runCommand('K3: Accept Hunk');
    await hunksAre(workbench, 0);
    await save(workbench);
    assert.equal(bytesOf('keys.js'), TAKEN.replace('b === c', 'b == c'));
  });

  it('goes through the refactor preview', async () => {
    await refactor('preview.js');
    const { page } = workbench;
    await workbench.runCommand('K3: Review in Refactor Preview');
    const preview = page.locator('.part.panel');
    await preview.locator('.monaco-list-row', { hasText: 'let d = [];' }).waitFor();
    await workbench.screenshot('review-preview');
    // Nothing is chosen before the reader chooses it.
    await preview.locator('.monaco-list-row', { hasText: 'let d = [];' }).locator('.edit-checkbox').click();
    await preview.getByRole('button', { name: 'Apply' }).click();
    await openFile(workbench, 'preview.js');
    await hunksAre(workbench, 2);
    await focusEditor(workbench);
    await save(workbench);
    assert.equal(bytesOf('preview.js'), CODE.replace('var d = new Array()', 'let d = []'));
    await workbench.runCommand('K3: Reject All Hunks');
  });

  it('that is not finished is there again after a reload, with what was decided and remarked', async () => {
    await refactor('kept.js');
    await clickLens(workbench, 'Accept', 0);
    await hunksAre(workbench, 2);
    await clickLens(workbench, 'Reject', 0);
    await hunksAre(workbench, 1);
    await comment(workbench, 0, 'Not a list.');
    await save(workbench);
    // The review goes to the disk a moment after it changed.
    await workbench.page.waitForTimeout(1500);
    await workbench.reload();
    await workbench.runCommand('K3: Focus Chat');
    chat = await workbench.chat();
    await openFile(workbench, 'kept.js');
    await hunksAre(workbench, 1);
    await workbench.page.locator('.review-widget .comment-body', { hasText: 'Not a list.' }).waitFor();
    await group('kept.js').getByText('1 open, 1 accepted, 1 rejected').waitFor();
    await workbench.screenshot('review-kept');
    await clickLens(workbench, 'Accept', 0);
    await hunksAre(workbench, 0);
    await save(workbench);
    assert.equal(bytesOf('kept.js'), TAKEN.replace('b === c', 'b == c'));
  });
});

describe('A code block of an answer', () => {
  const block = () => chat.getByRole('group', { name: 'Code, ts', exact: true }).last();

  it('is inserted at the cursor', async () => {
    await openFile(workbench, 'block.js');
    await focusEditor(workbench);
    await workbench.page.keyboard.press('Control+End');
    await askQuestion(chat, 'What is a plain question?');
    for (const name of ['Copy', 'Insert at cursor', 'Apply', 'New file'])
      assert.equal(await block().getByRole('button', { name, exact: true }).count(), 1, name);
    await block().getByRole('button', { name: 'Insert at cursor' }).click();
    await workbench.page.locator('.view-line', { hasText: 'await ask' }).waitFor();
    await focusEditor(workbench);
    await workbench.page.keyboard.press('Control+Z');
    await save(workbench);
    assert.equal(bytesOf('block.js'), CODE);
  });

  it('is applied as a proposal, where the reader says', async () => {
    const { page } = workbench;
    await block().getByRole('button', { name: 'Apply' }).click();
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Put it at the end' }).click();
    await hunksAre(workbench, 1);
    assert.equal(bytesOf('block.js'), CODE);
    await clickLens(workbench, 'Accept', 0);
    await hunksAre(workbench, 0);
    await save(workbench);
    assert.match(bytesOf('block.js'), /^var a[\s\S]*let d|new Array\(\);\n[\s\S]*await ask/);
  });

  it('is a new file in its language', async () => {
    await block().getByRole('button', { name: 'New file' }).click();
    await workbench.page.locator('.tab.active', { hasText: /Untitled|const answer/ }).waitFor();
    assert.match(await workbench.statusBar(), /TypeScript/);
  });
});
