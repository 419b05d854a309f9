/** A commit message, and a review of what is committed with it, in Source Control. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import { clickUntilItArrives } from '../../support/arrivingClick.ts';
import { focusChat } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { askedBy, problems, review, workbench } from './stage.ts';
import { ADDING } from './texts.ts';

/** Retries when another view that opens takes its place. */
const showSourceControl = (): Promise<void> =>
  eventually(async () => {
    await workbench.execute('workbench.scm.focus');
    await workbench.page.locator('.part.sidebar .scm-view').first().waitFor({ timeout: 8000 });
  });

describe('A commit message', () => {
  let answers: number;

  before(async () => {
    answers = await (await focusChat(workbench)).locator('article[data-outcome]').count();
  });

  it('is written to the input box of Source Control from its title bar', async () => {
    await writeFile(join(review.folder, 'adds.js'), ADDING.replace('var', 'let'));
    review.git('add', '.');
    const { page } = workbench;
    await workbench.execute('git.refresh');
    await showSourceControl();
    await page.locator('.part.sidebar .scm-view').first().hover();
    // The toolbar is drawn again when Git has read the changes.
    const button = '.part.sidebar [aria-label^="Write Commit Message"]';
    await clickUntilItArrives(page.locator(button).first(), button, 'click');
    const box = page.locator('.scm-input').first();
    await box.getByText('Demo answer, no model was asked: change adds.js').first().waitFor();
    await workbench.screenshot('commit-message');
  });

  it('does not change the open conversation', async () => {
    const chat = await focusChat(workbench);
    await eventually(async () => assert.equal(await chat.locator('article[data-outcome]').count(), answers));
  });

  it('can be followed by a review of the changes', async () => {
    const chat = await askedBy('K3: Review Changes');
    const question = (await chat.locator('article').nth(-2).textContent()) ?? '';
    assert.match(question, /Review the changes in k3-review-/);
    assert.match(question, /\+ {2}let total = 0;/);
    await workbench.execute('workbench.panel.markers.view.focus');
    await problems().filter({ hasText: 'None of the tests shown' }).waitFor();
    await workbench.screenshot('findings-changes');
  });
});
