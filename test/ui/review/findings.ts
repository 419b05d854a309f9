/** A review by the model, as a user sees it: in the file, in Problems, and in the chat. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { answerEnded, outcomeOf } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { inSteps } from '../../support/leftovers.ts';
import { askedBy, haveFailed, problems, review, workbench } from './stage.ts';

const threads = () => workbench.page.locator('.review-widget');

describe('A review of a file', () => {
  haveFailed.findings = inSteps();
  before(() => review.startAnew('adds.js'));

  it('shows findings in Problems and on their lines', async () => {
    const chat = await askedBy('K3: Review File');
    const answer = chat.locator('[data-part="answer"]').last();
    await answer.getByText('1. Error').waitFor();
    await eventually(async () =>
      assert.match(await answer.innerText(), /1\. Error adds\.js:4[\s\S]*past the end[\s\S]*Suggested edit/),
    );
    await workbench.execute('workbench.panel.markers.view.focus');
    await eventually(async () => assert.equal(await problems().count(), 4));
    const [first] = await problems().allInnerTexts();
    assert.match(first ?? '', /past the end[\s\S]*K3 review/);
    await workbench.screenshot('findings-problems');
  });

  it('shows a finding as a thread, with its evidence', async () => {
    await workbench.page.locator('.comment-range-glyph.comment-thread').first().click();
    await threads().first().waitFor();
    await workbench.screenshot('findings-thread');
    await eventually(async () => assert.match(await threads().first().innerText(), /svc-k3/));
  });

  it('dismisses a finding from its thread', async () => {
    await threads().first().locator('[aria-label^="Dismiss"]').click();
    await threads().first().waitFor({ state: 'detached' });
    await eventually(async () => assert.equal(await problems().count(), 3));
  });

  it('continues a discussion of a finding in the chat', async () => {
    const { page } = workbench;
    await page.locator('.comment-range-glyph.comment-thread').first().click();
    await threads().first().locator('.comment-form').click();
    await threads().first().locator('.comment-form .monaco-editor.focused').waitFor();
    await page.keyboard.type('Is that so?');
    await threads().first().locator('.monaco-text-button', { hasText: 'Discuss' }).click();
    const chat = await workbench.chat();
    await chat.locator('article[data-outcome]').nth(1).waitFor();
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
    const question = (await chat.locator('article').nth(-2).textContent()) ?? '';
    assert.match(question, /Is that so\?[\s\S]*a finding of yours/);
    await workbench.screenshot('findings-discussed');
    await threads().first().locator('[aria-label="Collapse"]').click();
  });
});
