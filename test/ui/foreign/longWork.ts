/** The way back to before an answer with edits in more than one file, with the strict service and by keyboard. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { askQuestion, newConversation, outcomeOf, switchRouteTo } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { folder, strict, workbench } from '../review/stage.ts';

const FILES = ['boat.js', 'sail.js'] as const;

describe('Long work with a strict service', () => {
  let chat: Frame;
  let keys: ReturnType<typeof createKeyboard>;
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');

  before(async () => {
    keys = createKeyboard(workbench);
    for (const name of ['boat', 'sail']) await writeFile(join(folder, `${name}.js`), `var ${name} = 1;\n`);
    chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, 'straight');
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

  it('goes back to before an answer with edits in two files', async () => {
    assert.equal(
      await outcomeOf(await askQuestion(chat, `[[two-calls:${EDITS.map(toCall).join('\n')}]]`)),
      'complete',
    );
    for (const [path] of EDITS) {
      const proposal = chat.getByRole('group', { name: new RegExp(`^Proposal, .*${path}`) }).last();
      await proposal.getByRole('button', { name: 'Accept all' }).press('Enter');
      await proposal.getByText('0 open, 1 accepted, 0 rejected').waitFor();
    }
    await workbench.execute('workbench.action.files.saveFiles');
    await onDisk('let');
    const actions = chat.getByRole('toolbar', { name: 'Message actions' });
    const revert = actions.getByRole('button', { name: 'Revert Accepted Edits…', exact: true });
    await revert.first().press('Enter');
    // `test/editor/proposals/reverting.test.ts` goes back over later messages as well.
    await keys.pick('This message', 'This message2 edits in 2 files');
    await eventually(async () =>
      assert.equal(await chat.getByText('1 open, 0 accepted, 0 rejected').count(), EDITS.length),
    );
    await workbench.screenshot('strict-back-this-message');
    await workbench.execute('workbench.action.files.saveFiles');
    await onDisk('var');
  });

  it('finds no errors in the requests', () => {
    assert.deepEqual(strict.direct.violations, []);
  });
});
