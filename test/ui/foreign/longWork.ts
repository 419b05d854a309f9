/**
 * What asks about more than the open file, with the strict service and by keyboard: the output of a terminal, and the way back to
 * before an answer.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import {
  answerEnded,
  askQuestion,
  newConversation,
  outcomeOf,
  startAnswer,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { runFailing } from '../../support/terminalDriver.ts';
import { folder, strict, workbench } from './stage.ts';

const FILES = ['boat.js', 'sail.js'] as const;

describe('Long work with a strict service', () => {
  let chat: Frame;
  let keys: ReturnType<typeof createKeyboard>;
  const requests = () => strict.direct.requests.length;
  const lastSent = (): string =>
    JSON.parse(strict.direct.requests.at(-1)?.text ?? '{}').messages.at(-1).content;
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');

  before(async () => {
    keys = createKeyboard(workbench);
    chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, 'straight');
  });

  // After a test that failed, they may have what it accepted.
  beforeEach(async () => {
    for (const name of ['boat', 'sail']) await writeFile(join(folder, `${name}.js`), `var ${name} = 1;\n`);
  });

  after(async () => {
    for (const name of FILES) await removeFolder(join(folder, name));
  });

  it('explains the output of a terminal, which is shown before it is sent', async () => {
    const before = requests();
    await runFailing(workbench, 'ls no-boat');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await keys.run('K3: Explain Terminal Output');
    await dialog
      .getByText(/ls no-boat/)
      .first()
      .waitFor();
    assert.equal(requests(), before, 'nothing is sent before');
    await workbench.screenshot('strict-terminal-dialog');
    // Focus Chat would press Escape, which stops the answer.
    chat = await workbench.chat();
    await startAnswer(chat, () => dialog.getByRole('button', { name: 'Allow Once' }).press('Enter'));
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
    assert.match(lastSent(), /terminal command sleep 1; ls no-boat, exit code 2:\n```\nls: .*no-boat/);
    await workbench.screenshot('strict-terminal');
    await workbench.runCommand('Terminal: Kill All Terminals');
  });

  const EDITS = [
    ['boat.js', 'var boat = 1;'],
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
});
