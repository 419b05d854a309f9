/** A proposal in the real workbench: the buttons in the chat, diffs, drafts of comments, and code blocks. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { answerEnded, askQuestion, outcomeOf } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { inSteps } from '../../support/leftovers.ts';
import { acceptInput } from '../../support/quickInput.ts';
import { acceptLast, clickLens, focusEditor, hunksAre, openFile } from '../../support/reviewDriver.ts';
import { review, workbench } from './stage.ts';
import { SHORT, TAKEN } from './texts.ts';

describe('A proposal in the chat', () => {
  inSteps();

  before(async () => {
    await workbench.execute('workbench.action.closePanel');
    await review.refactor('chat.js');
  });

  it('shows the changes instead of the received format', async () => {
    const answer = review.chat().locator('[data-part="answer"]').last();
    await eventually(async () =>
      assert.match(await answer.innerText(), /-\s+return b == c;[\s\S]*\+\s+return b === c;/),
    );
    assert.doesNotMatch(await answer.innerText(), /"explanation"|"find"/);
  });

  it('can be shown as a native diff', async () => {
    await openFile(workbench, 'chat.js');
    await clickLens(workbench, 'Open Diff');
    const { page } = workbench;
    await page.locator('.tab.active', { hasText: 'Proposal: chat.js' }).waitFor();
    await page
      .locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'let d = [];' })
      .waitFor();
    await page
      .locator('.monaco-diff-editor .editor.original .view-line', { hasText: 'var d = new Array();' })
      .first()
      .waitFor();
    await workbench.screenshot('review-diff');
    await workbench.execute('workbench.action.closeActiveEditor');
    await hunksAre(workbench, 3);
  });

  it('works in the Refactor Preview', async () => {
    const { page } = workbench;
    await workbench.runCommand('K3: Review in Refactor Preview');
    const preview = page.locator('.part.panel');
    await preview.locator('.monaco-list-row', { hasText: 'let d = [];' }).waitFor();
    await workbench.screenshot('review-preview');
    // Nothing is selected by default.
    await preview.locator('.monaco-list-row', { hasText: 'let d = [];' }).locator('.edit-checkbox').click();
    await preview.getByRole('button', { name: 'Apply' }).click();
    await openFile(workbench, 'chat.js');
    await hunksAre(workbench, 2);
    await focusEditor(workbench);
    await review.saveAndCheck('chat.js', SHORT.replace('var d = new Array()', 'let d = []'));
    await page.keyboard.press('Control+Z');
    await hunksAre(workbench, 3);
  });

  it('shows the number of hunks, and accepts all at once', async () => {
    await review.group('chat.js').getByText('3 open, 0 accepted, 0 rejected').waitFor();
    for (const name of ['Review', 'Open Diff', 'Accept all', 'Reject all'])
      await review.group('chat.js').getByRole('button', { name, exact: true }).waitFor();
    await review.group('chat.js').getByRole('button', { name: 'Accept all' }).click();
    await review.group('chat.js').getByText('0 open, 3 accepted, 0 rejected').waitFor();
    await focusEditor(workbench);
    await review.saveAndCheck('chat.js', TAKEN);
    await workbench.page.keyboard.press('Control+Z');
    await hunksAre(workbench, 3);
  });

  it('is taken back from the menu of the message, without what was typed since', async () => {
    const { page } = workbench;
    await review.group('chat.js').getByRole('button', { name: 'Accept all' }).click();
    await review.group('chat.js').getByText('0 open, 3 accepted, 0 rejected').waitFor();
    await focusEditor(workbench);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.type(' // mine');
    const actions = review.chat().getByRole('toolbar', { name: 'Message actions' }).last();
    await actions.getByRole('button', { name: 'Revert Accepted Edits…', exact: true }).press('Enter');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'This message3 edits in 1 file' })
      .first()
      .waitFor();
    await workbench.screenshot('review-revert');
    await acceptInput(page);
    await hunksAre(workbench, 2);
    await page
      .getByText(/Reverted 2 edits in 1 file\. 1 accepted edit was not reverted/)
      .first()
      .waitFor();
    await workbench.screenshot('review-reverted');
    await focusEditor(workbench);
    await review.saveAndCheck(
      'chat.js',
      SHORT.replace(/^.*/, (line) => `${line.replace('var', 'let')} // mine`),
    );
    const decide = (name: string) => review.group('chat.js').getByRole('button', { name }).click();
    await decide('Reject all');
    await hunksAre(workbench, 0);
    await decide('Restore rejected');
    await hunksAre(workbench, 2);
    await workbench.screenshot('review-restored');
    await decide('Reject all');
    await hunksAre(workbench, 0);
  });
});

describe('A review', () => {
  inSteps();

  /** The thread of the first hunk, which both tests write in. */
  const thread = () => workbench.page.locator('.review-widget', { hasText: 'let a = 1' }).first();

  async function write(text: string): Promise<void> {
    await thread().locator('.review-thread-reply-button:visible').click();
    await thread().locator('.comment-form .monaco-editor.focused').waitFor();
    await workbench.page.keyboard.type(text);
  }

  async function isStillWritten(text: string): Promise<void> {
    const { page } = workbench;
    await page.waitForTimeout(1500);
    const lines = page.locator('.review-widget .comment-form .view-line', { hasText: text });
    assert.equal(await lines.count(), 1);
  }

  before(() => review.refactor('diff.js'));

  it('keeps what is being written about a hunk when another attempt has the same', async () => {
    await write('Why is this better?');
    await review.chat().getByRole('button', { name: 'Regenerate' }).last().click();
    await review.chat().getByText('2 / 2').waitFor();
    assert.equal(await outcomeOf(await answerEnded(review.chat())), 'complete');
    await hunksAre(workbench, 3);
    await isStillWritten('Why is this better?');
  });

  it('keeps what is being written about a hunk when the answer to a review has another one in its place', async () => {
    const { page } = workbench;
    await thread().getByRole('button', { name: 'Add Comment' }).click();
    await thread().locator('.comment-body', { hasText: 'Why is this better?' }).waitFor();
    await write('And is it shorter?');
    await workbench.runCommand('K3: Send Review');
    await page.locator('.review-widget', { hasText: '// As remarked' }).first().waitFor();
    await isStillWritten('And is it shorter?');
    await focusEditor(workbench);
    await workbench.runCommand('K3: Reject All Hunks');
    await hunksAre(workbench, 0);
  });
});

describe('A code block of an answer', () => {
  const block = () => review.chat().getByRole('group', { name: 'Code, ts', exact: true }).last();

  beforeEach(async () => {
    await openFile(workbench, 'block.js');
    await focusEditor(workbench);
    await workbench.page.keyboard.press('Control+End');
    if ((await block().count()) === 0) await askQuestion(review.chat(), 'What is a plain question?');
  });

  it('is inserted at the cursor', async () => {
    for (const name of ['Copy', 'Insert at cursor', 'Apply', 'New file'])
      await block().getByRole('button', { name, exact: true }).waitFor();
    await block().getByRole('button', { name: 'Insert at cursor' }).click();
    await workbench.page.locator('.view-line', { hasText: 'await ask' }).waitFor();
    await focusEditor(workbench);
    await workbench.page.keyboard.press('Control+Z');
    await review.saveAndCheck('block.js', SHORT);
  });

  it('is applied as a proposal to the file that the user picks', async () => {
    const { page } = workbench;
    await block().getByRole('button', { name: 'Apply' }).click();
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Insert at the End' }).click();
    await hunksAre(workbench, 1);
    assert.equal(review.bytesOf('block.js'), SHORT);
    await acceptLast(workbench);
    await review.saveAndCheck('block.js', /^var a[\s\S]*new Array\(\);\n[\s\S]*await ask/);
  });

  it('opens as a new file in its language', async () => {
    await block().getByRole('button', { name: 'New file' }).click();
    const tab = workbench.page.locator('.tab', { hasText: /Untitled|const answer/ });
    await tab.and(workbench.page.locator('.active')).waitFor();
    await eventually(async () => assert.match(await workbench.statusBar(), /TypeScript/));
    // On a busy machine, another editor can be active again by then. A new file that stays has a dialog when all are closed.
    await eventually(async () => {
      if ((await tab.count()) === 0) return;
      await tab.first().click({ timeout: 5000 });
      await workbench.execute('workbench.action.revertAndCloseActiveEditor');
      throw new Error('The new file is still open.');
    });
  });
});
