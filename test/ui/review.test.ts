/** The review of a proposal from the question to the last hunk, byte for byte. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { answerEnded, outcomeOf } from '../support/chatDriver.ts';
import { SHOP_CODE } from '../support/review/shopCode.ts';
import { clickLens, comment, focusEditor, hunksAre } from '../support/reviewDriver.ts';
import { openReviewWorkbench, type ReviewWorkbench } from '../support/reviewWorkbench.ts';

/** `test/editor/proposals/hunkByHunk.test.ts` does the same with other kinds of files. */
const FILES: Readonly<Record<string, string>> = { 'plain.js': SHOP_CODE };

let review: ReviewWorkbench;

before(async () => {
  review = await openReviewWorkbench(FILES);
});

after(() => review?.close());

afterEach(async function () {
  if (this.currentTest?.state === 'failed') await review.workbench.screenshot('review-failed');
});

describe('A proposal, hunk by hunk', () => {
  for (const [name, before] of Object.entries(FILES)) {
    it(`changes ${name} byte for byte as decided, at every step`, async () => {
      const { workbench, bytesOf, saveAndCheck, group } = review;
      const { page } = workbench;
      const first = before.replace('var total', 'let total');
      const revised = first.replace(
        '  var result = new Array();',
        '  // As remarked: Say why it is a list.\n  let result = [];',
      );

      await review.refactor(name, 'Make it modern');
      assert.equal(bytesOf(name), before, 'nothing is written before a hunk is accepted');

      await clickLens(workbench, 'Accept', 0);
      await hunksAre(workbench, 2);
      await saveAndCheck(name, first, 'after accepting the first');

      await comment(workbench, 0, 'Say why it is a list.');
      await clickLens(workbench, 'Reject', 1);
      await hunksAre(workbench, 1);
      await group(name).getByText('1 open, 1 accepted, 1 rejected').waitFor();
      await saveAndCheck(name, first, 'after a comment and a rejection');

      await workbench.runCommand('K3: Send Review');
      await review.chat().locator('article[data-outcome]').nth(1).waitFor();
      assert.equal(await outcomeOf(await answerEnded(review.chat())), 'complete');
      await group(name).getByText('1 open, 0 accepted, 0 rejected').waitFor();
      await page.locator('.review-widget', { hasText: '// As remarked' }).first().waitFor();
      await hunksAre(workbench, 1);
      // The editor updates CodeLenses some time after the threads. No user is that fast.
      await page.waitForTimeout(1500);

      await clickLens(workbench, 'Accept', 0);
      await hunksAre(workbench, 0);
      await saveAndCheck(name, revised, 'after accepting the revision');

      await focusEditor(workbench);
      await page.keyboard.press('Control+Z');
      await hunksAre(workbench, 1);
      await saveAndCheck(name, first, 'after undoing the revision');

      await page.keyboard.press('Control+Z');
      await page.locator('.view-line', { hasText: 'var total' }).waitFor();
      await saveAndCheck(name, before, 'after undoing the first hunk');
      await clickLens(workbench, 'Reject', 0);
    });
  }
});
