/** Reviews of a commit and of a branch, with the strict service and by keyboard. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import {
  answerEnded,
  newConversation,
  outcomeOf,
  startAnswer,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { folder, workbench } from '../review/stage.ts';
import { lastSent, STRICT } from './services.ts';

/** Files whose changes are too long for one request. */
const WIDE = ['one.js', 'two.js'];

describe('Reviews of revisions', () => {
  let chat: Frame;
  let keys: ReturnType<typeof createKeyboard>;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });

  before(async () => {
    keys = createKeyboard(workbench);
    await writeFile(join(folder, 'raft.js'), 'var raft = 1;\n');
    // With what the tests before have changed.
    git('add', '-A');
    git('commit', '-qm', 'Add a raft');
    git('checkout', '-qb', 'topic');
    await writeFile(join(folder, 'raft.js'), 'var raft = 2;\nfor (let i = 0; i <= raft.length; i++);\n');
    git('commit', '-qam', 'Change the raft');
    git('checkout', '-qb', 'wide');
    for (const name of WIDE)
      await writeFile(join(folder, name), `var ${name[0]} = "${'x'.repeat(150)}";\n`.repeat(1000));
    git('add', ...WIDE);
    git('commit', '-qm', 'Add two wide files');
    git('checkout', '-q', 'topic');
    await workbench.execute('git.refresh');
    chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, STRICT.route);
  });

  after(async () => {
    await removeFolder(join(folder, 'raft.js'));
  });

  /** Runs a command, picks what it asks for, and waits for the answer. */
  async function review(command: string, ...picks: readonly string[]): Promise<void> {
    // Not by Focus Chat from the Command Palette: the Escape key before it would stop an answer.
    chat = await workbench.chat();
    await startAnswer(chat, async () => {
      await keys.run(command);
      for (const text of picks) await keys.pick(text, text);
    });
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
  }

  it('are of a commit, and of a branch since it began', async () => {
    await review('K3: Review Commit…', 'Change the raft');
    assert.match(lastSent(), /> Change the raft\n[\s\S]*\n-var raft = 1;\n\+var raft = 2;\n/);
    await chat.locator('article').last().getByText('1. Error').waitFor();
    await workbench.screenshot('straight-commit');
    await review('K3: Review Branch…', 'topic', 'main');
    assert.match(lastSent(), /^Review the changes of branch topic since main /);
    assert.match(lastSent(), /\n-var raft = 1;\n\+var raft = 2;\n/);
    await chat.locator('article').last().getByText('1. Error').waitFor();
    await workbench.screenshot('straight-branch');
    assert.deepEqual(STRICT.violations(), []);
  });

  it('are several requests for a branch with many files, after they have said what they cost', async () => {
    chat = await newConversation(workbench);
    const before = STRICT.bodies().length;
    await keys.run('K3: Review Branch…');
    await keys.pick('wide', 'wide');
    await keys.pick('topic', 'topic');
    const dialog = workbench.page.locator('.monaco-dialog-box', {
      hasText: 'Review 2 files in 2 requests?',
    });
    await dialog
      .getByText(/^About [\d,]+ tokens are sent, which costs about \$\d+\.\d+, plus the output\./)
      .waitFor();
    assert.equal(STRICT.bodies().length, before, 'nothing is sent before');
    const buttons = await dialog.getByRole('button').allInnerTexts();
    assert.deepEqual(
      buttons.filter((name) => name !== ''),
      ['Review', 'Cancel', 'Don’t Send'],
    );
    await workbench.screenshot('straight-branch-cost');
    await dialog.getByRole('button', { name: 'Review', exact: true }).press('Enter');
    await eventually(() => assert.equal(STRICT.bodies().length, before + 2), 60_000);
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
    const parts = STRICT.bodies()
      .slice(-2)
      .map((text) => JSON.parse(text).messages.at(-1).content);
    for (const [at, name] of WIDE.entries())
      assert.ok(parts[at].includes(`This is part ${at + 1} of 2`) && parts[at].includes(`## File: ${name}`));
    assert.deepEqual(STRICT.violations(), []);
  });
});
