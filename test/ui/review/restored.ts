/** What is kept when the window is reloaded. One reload is enough for all: each costs more than most tests. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { answerEnded, outcomeOf, startAnswer } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { holdOtherHost } from '../../support/otherHost.ts';
import { acceptLast, focusEditor, hunksAre, openFile } from '../../support/reviewDriver.ts';
import { appliedGroups, appliedIs, applyIn, haveFailed, problems, review, workbench } from './stage.ts';
import { PLAIN_ONCE } from './texts.ts';

const written = () =>
  workbench.page.locator('.review-widget .comment-body', { hasText: 'Say why it is a list.' });
const threads = () => workbench.page.locator('.review-widget:visible');

/** Opens the box of an edit at the first line. */
async function openEditBox(): Promise<void> {
  await openFile(workbench, 'named.js');
  await focusEditor(workbench);
  await workbench.page.keyboard.press('Control+Home');
  await createKeyboard(workbench).press('Control+K', 'j');
  await threads().locator('.edit-container .monaco-editor.focused').waitFor();
}

describe('After a reload', () => {
  before(async () => {
    await openEditBox();
    await workbench.page.keyboard.type('Prefer constants');
    await workbench.kept('Prefer constants');
    if (!haveFailed.review()) await workbench.kept('Say why it is a list.');
    if (!haveFailed.findings()) await workbench.kept('"state":"dismissed"');
    const startOtherHost = await holdOtherHost(workbench.page);
    await review.reload(async () => {
      if (!haveFailed.review()) {
        await openFile(workbench, 'plain.js');
        await written().waitFor();
      }
      await startOtherHost();
      // The editor removes all comments.
      await written().waitFor({ state: 'detached' });
    });
  });

  it('comments are shown again after another extension host has started, for which the editor removes them', async function () {
    if (haveFailed.review()) this.skip();
    await openFile(workbench, 'named.js');
    await openFile(workbench, 'plain.js');
    await written().waitFor();
  });

  it('the findings are restored, without the dismissed one', async function () {
    if (haveFailed.findings()) this.skip();
    await workbench.execute('workbench.panel.markers.view.focus');
    await eventually(async () => assert.equal(await problems().count(), 3));
    await workbench.execute('workbench.action.closePanel');
  });

  it('Apply on a diff shows its proposal', async function () {
    if (haveFailed.apply()) this.skip();
    await appliedIs('1 accepted');
    await applyIn(review.chat()).click();
    await workbench.page.locator('.tab.active', { hasText: 'apply.js' }).waitFor();
    // Until Apply has shown it: it would show it again when another file is opened meanwhile.
    await openFile(workbench, 'apply.js');
    assert.equal(await workbench.page.locator('.quick-input-widget:visible').count(), 0);
    assert.equal(await appliedGroups().count(), 1);
    await appliedIs('1 accepted');
  });

  it('an edit in the code has the words that were not sent in its box when it is opened', async () => {
    await openEditBox();
    await threads().locator('.edit-container').getByText('Prefer constants').waitFor();
    await workbench.page.keyboard.press('Escape');
    await threads().first().waitFor({ state: 'detached' });
  });

  it('a review that is not finished is restored, with decisions and comments', async function () {
    if (haveFailed.review()) this.skip();
    await openFile(workbench, 'plain.js');
    await hunksAre(workbench, 1);
    await written().waitFor();
    await review.group('plain.js').getByText('1 open, 1 accepted, 1 rejected').waitFor();
    await workbench.screenshot('review-kept');
    await acceptLast(workbench);
    const accepted = PLAIN_ONCE.replace('var result = new Array()', 'let result = []');
    await review.saveAndCheck('plain.js', accepted);
    await undo();
  });

  it('a review that is not finished is sent, and its revision is accepted and undone byte for byte', async function () {
    if (haveFailed.review()) this.skip();
    await startAnswer(review.chat(), () => workbench.execute('k3.sendReview'));
    assert.equal(await outcomeOf(await answerEnded(review.chat())), 'complete');
    await review.group('plain.js').getByText('1 open, 0 accepted, 0 rejected').waitFor();
    await workbench.page.locator('.review-widget', { hasText: '// As remarked' }).first().waitFor();
    await hunksAre(workbench, 1);
    await acceptLast(workbench);
    const revised = '  // As remarked: Say why it is a list.\n  let result = [];';
    await review.saveAndCheck(
      'plain.js',
      PLAIN_ONCE.replace('  var result = new Array();', revised),
      'after accepting the revision',
    );
    await undo();
    await workbench.execute('k3.rejectAll');
    await hunksAre(workbench, 0);
    // The commit message that follows is about another file.
    review.git('commit', '-qm', 'refactor: keep a list', 'plain.js', 'apply.js');
  });

  /** Undoes what was accepted last, after which a hunk is open again. */
  async function undo(): Promise<void> {
    await focusEditor(workbench);
    await workbench.page.keyboard.press('Control+Z');
    await hunksAre(workbench, 1);
    await review.saveAndCheck('plain.js', PLAIN_ONCE, 'after undoing the last hunk');
  }
});
