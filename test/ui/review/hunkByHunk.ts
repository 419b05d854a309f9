/** A proposal in the real workbench, from the question to the last hunk. The window is reloaded before the last one: see `restored.ts`. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { inSteps } from '../../support/leftovers.ts';
import { SHOP_CODE } from '../../support/review/shopCode.ts';
import { clickLens, comment, focusEditor, hunksAre } from '../../support/reviewDriver.ts';
import { haveFailed, review, workbench } from './stage.ts';
import { PLAIN_ONCE } from './texts.ts';

/** `test/editor/proposals/hunkByHunk.test.ts` does the same with other kinds of files. */
describe('A proposal, hunk by hunk', () => {
  haveFailed.review = inSteps();

  before(async () => {
    await workbench.execute('workbench.action.closePanel');
    await review.refactor('plain.js', 'Make it modern');
  });

  it('changes plain.js byte for byte as decided, at every step', async () => {
    const { bytesOf, saveAndCheck, group } = review;
    const { page } = workbench;
    assert.equal(bytesOf('plain.js'), SHOP_CODE, 'nothing is written before a hunk is accepted');

    await clickLens(workbench, 'Accept', 0);
    await hunksAre(workbench, 2);
    await saveAndCheck('plain.js', PLAIN_ONCE, 'after accepting the first');

    await focusEditor(workbench);
    await page.keyboard.press('Control+Z');
    await page.locator('.view-line', { hasText: 'var total' }).waitFor();
    await hunksAre(workbench, 3);
    await saveAndCheck('plain.js', SHOP_CODE, 'after undoing the first hunk');
    await page.keyboard.press('Control+Shift+Z');
    await hunksAre(workbench, 2);

    await comment(workbench, 0, 'Say why it is a list.');
    await clickLens(workbench, 'Reject', 1);
    await hunksAre(workbench, 1);
    await group('plain.js').getByText('1 open, 1 accepted, 1 rejected').waitFor();
    await saveAndCheck('plain.js', PLAIN_ONCE, 'after a comment and a rejection');
  });
});
