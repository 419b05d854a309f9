/** What a review keeps when the window is reloaded. One reload is enough for the findings and for a proposal. */

import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { eventually } from '../../support/eventually.ts';
import { acceptLast, clickLens, comment, hunksAre, openFile } from '../../support/reviewDriver.ts';
import { findingsTests, problems, review, workbench } from './stage.ts';
import { SHORT, TAKEN } from './texts.ts';

describe('After a reload', () => {
  before(async () => {
    await review.refactor('kept.js');
    await clickLens(workbench, 'Accept', 0);
    await hunksAre(workbench, 2);
    await clickLens(workbench, 'Reject', 0);
    await hunksAre(workbench, 1);
    await comment(workbench, 0, 'Not a list.');
    await review.saveAndCheck('kept.js', SHORT.replace('var a', 'let a'));
    await workbench.kept('Not a list.');
    if (!findingsTests.haveFailed()) await workbench.kept('"state":"dismissed"');
    await review.reload();
  });

  it('the findings are restored, without the dismissed one', async function () {
    if (findingsTests.haveFailed()) this.skip();
    await workbench.runCommand('Problems: Focus on Problems View');
    await eventually(async () => assert.equal(await problems().count(), 3));
    await workbench.runCommand('View: Hide Panel');
  });

  it('a review that is not finished is restored, with decisions and comments', async () => {
    await openFile(workbench, 'kept.js');
    await hunksAre(workbench, 1);
    await workbench.page.locator('.review-widget .comment-body', { hasText: 'Not a list.' }).waitFor();
    await review.group('kept.js').getByText('1 open, 1 accepted, 1 rejected').waitFor();
    await workbench.screenshot('review-kept');
    await acceptLast(workbench);
    await review.saveAndCheck('kept.js', TAKEN.replace('b === c', 'b == c'));
    // The commit message that follows is about another file.
    review.git('commit', '-qm', 'refactor: keep a list', 'kept.js');
  });
});
