/** The way back to before an answer with edits in more than one file, with the strict service and by keyboard. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { askQuestion, newConversation, outcomeOf, switchRouteTo } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { folder, strict, workbench } from './stage.ts';

const FILES = ['boat.js', 'sail.js'] as const;

describe('Long work with a strict service', () => {
  let chat: Frame;
  let keys: ReturnType<typeof createKeyboard>;
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
