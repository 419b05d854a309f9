/**
 * What asks about more than the open file, with the strict service and by keyboard: the output of a terminal, a commit, a branch,
 * the way back to before an answer, and a turn whose results fill the context window.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import {
  answerEnded,
  askQuestion,
  focusChat,
  newConversation,
  outcomeOf,
  sendQuestion,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { folder, strict, workbench } from './stage.ts';

const FILES = ['.git', 'boat.js', 'sail.js', 'long.txt'] as const;
/** As much as a result may have, and twice as much in JSON: about 30,000 tokens. The context window has 1,048,576. */
const LONG = `${'"'.repeat(99)}\n`.repeat(600);
const ROUNDS = 8;
/** Files whose changes are too long for one request. */
const WIDE = ['one.js', 'two.js'];

describe('Long work with a strict service', () => {
  let chat: Frame;
  let keys: ReturnType<typeof createKeyboard>;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder }).toString();
  const requests = () => strict.direct.requests.length;
  const lastSent = (): string =>
    JSON.parse(strict.direct.requests.at(-1)?.text ?? '{}').messages.at(-1).content;
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');

  /** Waits for the answer to a question that a command has asked. */
  async function answered(before: number): Promise<void> {
    await eventually(() => assert.ok(requests() > before), 30_000);
    chat = await focusChat(workbench);
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
  }

  before(async () => {
    keys = createKeyboard(workbench);
    for (const name of ['boat', 'sail']) await writeFile(join(folder, `${name}.js`), `var ${name} = 1;\n`);
    await writeFile(join(folder, 'long.txt'), LONG);
    git('init', '-q', '-b', 'main');
    git('config', 'user.email', 'a@example.com');
    git('config', 'user.name', 'A');
    git('add', 'boat.js');
    git('commit', '-qm', 'Add a boat');
    git('checkout', '-qb', 'topic');
    await writeFile(join(folder, 'boat.js'), 'var boat = 2;\n');
    git('commit', '-qam', 'Change the boat');
    await workbench.runCommand('Git: Refresh');
    chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, 'straight');
  });

  after(async () => {
    for (const name of FILES) await removeFolder(join(folder, name));
  });

  it('explains the output of a terminal, which is shown before it is sent', async () => {
    const before = requests();
    await workbench.runCommand('Terminal: Create New Terminal');
    await workbench.page
      .locator('.terminal-wrapper.active .xterm-helper-textarea')
      .waitFor({ state: 'attached' });
    await workbench.page.locator('.terminal-command-decoration').first().waitFor({ state: 'attached' });
    const dialog = workbench.page.locator('.monaco-dialog-box');
    const fails = workbench.page.locator('.terminal-command-decoration.codicon-terminal-decoration-error');
    for (let times = 1; ; times++) {
      await workbench.page.keyboard.type('ls no-boat');
      await keys.press('Enter');
      await eventually(async () => assert.equal(await fails.count(), times));
      // Enter at an empty prompt is no other command.
      await keys.press('Enter');
      await keys.run('K3: Explain Terminal Output');
      await dialog
        .getByText(/ls no-boat/)
        .first()
        .waitFor();
      // The editor can miss the output of a command that ends within a few milliseconds, which the dialog says.
      const isMissed = await dialog.getByText(/reported no output/).isVisible();
      if (!isMissed || times === 5) break;
      await dialog.getByRole('button', { name: 'Refuse' }).press('Enter');
      await workbench.page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus();
    }
    assert.equal(requests(), before, 'nothing is sent before');
    await workbench.screenshot('strict-terminal-dialog');
    await dialog.getByRole('button', { name: 'Allow Once' }).press('Enter');
    await answered(before);
    assert.match(lastSent(), /terminal command ls no-boat, exit code 2:\n```\nls: .*no-boat/);
    await workbench.screenshot('strict-terminal');
    await workbench.runCommand('Terminal: Kill All Terminals');
  });

  it('reviews a commit, and a branch since it began', async () => {
    let before = requests();
    await keys.run('K3: Review Commit…');
    await keys.pick('Change the boat', 'Change the boat');
    await answered(before);
    assert.match(lastSent(), /> Change the boat\n[\s\S]*\n-var boat = 1;\n\+var boat = 2;\n/);
    await chat.locator('article').last().getByText('1. Error').waitFor();
    await workbench.screenshot('strict-commit');
    before = requests();
    await keys.run('K3: Review Branch…');
    await keys.pick('topic', 'topic');
    await keys.pick('main', 'main');
    await answered(before);
    assert.match(lastSent(), /^Review the changes of branch topic since main /);
    assert.match(lastSent(), /\n-var boat = 1;\n\+var boat = 2;\n/);
    await chat.locator('article').last().getByText('1. Error').waitFor();
    await workbench.screenshot('strict-branch');
  });

  it('reviews a branch in several requests, after it has said what they cost', async () => {
    git('checkout', '-qb', 'wide');
    for (const name of WIDE)
      await writeFile(join(folder, name), `var ${name[0]} = "${'x'.repeat(160_000)}";\n`);
    git('add', ...WIDE);
    git('commit', '-qm', 'Add two wide files');
    await workbench.runCommand('Git: Refresh');
    const before = requests();
    await keys.run('K3: Review Branch…');
    await keys.pick('wide', 'wide');
    await keys.pick('topic', 'topic');
    const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: 'Review 2 files in 2 requests?' });
    await dialog
      .getByText(/^About [\d,]+ tokens are sent, which costs about \$\d+\.\d+, plus the answers\./)
      .waitFor();
    assert.equal(requests(), before, 'nothing is sent before');
    const buttons = await dialog.getByRole('button').allInnerTexts();
    assert.deepEqual(
      buttons.filter((name) => name !== ''),
      ['Review', 'Cancel', 'Don’t Send'],
    );
    await workbench.screenshot('strict-branch-cost');
    await dialog.getByRole('button', { name: 'Review', exact: true }).press('Enter');
    await eventually(() => assert.equal(requests(), before + 2), 60_000);
    chat = await focusChat(workbench);
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
    const parts = strict.direct.requests
      .slice(-2)
      .map(({ text }) => JSON.parse(text).messages.at(-1).content);
    for (const [at, name] of WIDE.entries())
      assert.ok(parts[at].includes(`This is part ${at + 1} of 2`) && parts[at].includes(`## File: ${name}`));
    git('checkout', '-q', 'topic');
  });

  const EDITS = [
    ['boat.js', 'var boat = 2;'],
    ['sail.js', 'var sail = 1;'],
  ] as const;
  const toCall = ([path, from]: (typeof EDITS)[number]) =>
    `propose_edit ${JSON.stringify({ path, edits: [{ find: from, replace: from.replace('var', 'let') }] })}`;
  /** What both files have on the disk. */
  const onDisk = (keyword: 'let' | 'var') =>
    eventually(() => {
      const wanted = EDITS.map(([, text]) => `${text.replace('var', keyword)}\n`);
      assert.deepEqual(
        EDITS.map(([path]) => textOf(path)),
        wanted,
      );
    });

  /** Asks for changes of these files, and accepts those of each. */
  async function accepted(question: string, paths: readonly string[]): Promise<void> {
    assert.equal(await outcomeOf(await askQuestion(chat, question)), 'complete');
    for (const path of paths) {
      const proposal = chat.getByRole('group', { name: new RegExp(`^Proposal, .*${path}`) }).last();
      await proposal.getByRole('button', { name: 'Accept all' }).press('Enter');
      await proposal.getByText('0 open, 1 accepted, 0 rejected').waitFor();
    }
  }

  /** Goes back to before the first answer of the chat. Before and after it, the files are on the disk. */
  async function reverted(choice: string, description: string): Promise<void> {
    await workbench.runCommand('File: Save All Files');
    await onDisk('let');
    const actions = chat.getByRole('toolbar', { name: 'Message actions' });
    const revert = actions.getByRole('button', { name: 'Revert Accepted Edits…', exact: true });
    await revert.first().press('Enter');
    await keys.pick(choice, `${choice}${description}`);
    await eventually(async () =>
      assert.equal(await chat.getByText('1 open, 0 accepted, 0 rejected').count(), EDITS.length),
    );
    await workbench.screenshot(`strict-back-${choice.toLowerCase().replaceAll(' ', '-')}`);
    await workbench.runCommand('File: Save All Files');
    await onDisk('var');
  }

  it('goes back to before an answer with edits in two files', async () => {
    chat = await newConversation(workbench);
    await accepted(
      `[[two-calls:${EDITS.map(toCall).join('\n')}]]`,
      EDITS.map(([path]) => path),
    );
    await reverted('This message', '2 edits in 2 files');
  });

  it('goes back to before an answer, over the files of later ones', async () => {
    chat = await newConversation(workbench);
    for (const edit of EDITS) await accepted(`[[tool-calls:${toCall(edit)}]]`, [edit[0]]);
    await reverted('This message and all later messages', '2 edits in 2 files');
  });

  it('finds no errors in the requests', () => {
    assert.deepEqual(strict.direct.violations, []);
  });

  it('no longer sends results of earlier calls when they fill the window, says so, and sends them again', async () => {
    chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, 'dense');
    const { requests: sent, violations } = strict.dense;
    const question = `[[tool-rounds:${ROUNDS} read_file ${JSON.stringify({ path: 'long.txt' })}]]`;
    await sendQuestion(chat, question);
    const answer = await answerEnded(chat, 60_000);
    assert.equal(await outcomeOf(answer), 'complete');
    const sizes = sent.map(({ text }) => text.length);
    assert.equal(sizes.length, ROUNDS + 1);
    const shorter = sizes.filter((size, at) => size < (sizes[at - 1] ?? 0));
    assert.equal(shorter.length, 1, sizes.join(', '));
    const again = chat.getByRole('button', { name: 'Send them again' });
    await again.waitFor();
    await workbench.screenshot('strict-compaction');
    await again.press('Enter');
    const leaveOut = chat.getByRole('button', { name: 'Leave them out again' });
    await leaveOut.waitFor();
    assert.equal(await again.count(), 0);
    assert.equal(await chat.getByText('Some tool results are sent again').count(), 1);
    assert.equal(await outcomeOf(await askQuestion(chat, 'And in short?')), 'complete');
    const whole = sent.at(-1)?.text.length ?? 0;
    assert.ok(whole > Math.max(...sizes));
    // The answer is no longer the last one.
    await leaveOut.scrollIntoViewIfNeeded();
    await workbench.screenshot('strict-compaction-taken-back');
    await leaveOut.press('Enter');
    await again.waitFor();
    const all = chat.getByRole('button', { name: 'Leave out results of tools again' });
    await eventually(async () => assert.equal(await all.count(), 0));
    // The window is nearly full with them, which is said with the same way back.
    await again.press('Enter');
    await all.press('Enter');
    await again.waitFor();
    await eventually(async () => assert.equal(await all.count(), 0));
    assert.equal(await outcomeOf(await askQuestion(chat, 'And in shorter?')), 'complete');
    assert.ok((sent.at(-1)?.text.length ?? 0) < Math.max(...sizes));
    // Each time, the cache begins anew, which was announced.
    const changed = /^request \d+: messages\[\d+\] is not byte-identical to that of request \d+ \(R11\)$/;
    assert.equal(violations.length, 3, violations.join('\n'));
    for (const violation of violations) assert.match(violation, changed);
    await switchRouteTo(workbench, chat, 'straight');
  });
});
