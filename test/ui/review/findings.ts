/** A review by the model and a commit message, as a user sees them: in the file, in Problems, and in Source Control. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { answerEnded, focusChat, outcomeOf } from '../../support/chatDriver.ts';
import { review, workbench } from './stage.ts';
import { ADDING } from './texts.ts';

/** Runs a command that asks a question, and returns the chat when it has this number of answers. */
async function askedBy(command: string, answers: number): Promise<Frame> {
  await workbench.runCommand(command);
  const chat = await workbench.chat();
  await chat
    .locator('article[data-outcome]')
    .nth(answers - 1)
    .waitFor();
  const answer = await answerEnded(chat);
  assert.equal(await outcomeOf(answer), 'complete');
  return chat;
}

/** Retries when another view that opens takes its place. */
async function showSourceControl(): Promise<void> {
  for (let tries = 1; tries <= 4; tries++) {
    await workbench.runCommand('Source Control: Focus on Changes View');
    const view = workbench.page.locator('.part.sidebar .scm-view').first();
    const shown = await view.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
    if (shown) return;
  }
}

const problems = () =>
  workbench.page.locator('.markers-panel-container .monaco-list-row:has-text("K3 review")');
const threads = () => workbench.page.locator('.review-widget');

describe('A review of a file', () => {
  before(() => review.startAnew('adds.js'));

  it('shows findings in Problems and on their lines', async () => {
    const chat = await askedBy('K3: Review File', 1);
    const answer = chat.locator('[data-part="answer"]').last();
    await answer.getByText('1. Error').waitFor();
    assert.match(await answer.innerText(), /1\. Error adds\.js:4[\s\S]*past the end[\s\S]*Suggested edit/);
    await workbench.runCommand('Problems: Focus on Problems View');
    await problems().first().waitFor();
    assert.equal(await problems().count(), 4);
    const [first] = await problems().allInnerTexts();
    assert.match(first ?? '', /past the end[\s\S]*K3 review/);
    await workbench.screenshot('findings-problems');
  });

  it('shows a finding as a thread, with its evidence', async () => {
    await workbench.page.locator('.comment-range-glyph.comment-thread').first().click();
    await threads().first().waitFor();
    await workbench.screenshot('findings-thread');
    assert.match(await threads().first().innerText(), /svc-k3/);
  });

  it('dismisses a finding from its thread', async () => {
    await threads().first().locator('[aria-label^="Dismiss"]').click();
    await threads().first().waitFor({ state: 'detached' });
    await problems().nth(3).waitFor({ state: 'detached' });
    assert.equal(await problems().count(), 3);
    // The dismissal is saved a moment later.
    await workbench.page.waitForTimeout(1000);
  });

  it('continues a discussion of a finding in the chat', async () => {
    const { page } = workbench;
    await page.locator('.comment-range-glyph.comment-thread').first().click();
    await threads().first().locator('.comment-form').click();
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

  it('restores the findings after a reload, without the dismissed one', async () => {
    await review.reload();
    await workbench.runCommand('Problems: Focus on Problems View');
    await problems().first().waitFor();
    assert.equal(await problems().count(), 3);
  });
});

describe('A commit message', () => {
  it('is written to the input box of Source Control from its title bar', async () => {
    await writeFile(join(review.folder, 'adds.js'), ADDING.replace('var', 'let'));
    review.git('add', '.');
    const { page } = workbench;
    await workbench.runCommand('Git: Refresh');
    await showSourceControl();
    await page.locator('.part.sidebar .scm-view').first().hover();
    await page.locator('.part.sidebar [aria-label^="Write Commit Message"]').first().click();
    const box = page.locator('.scm-input').first();
    await box.getByText('Demo answer, no model was asked: change adds.js').first().waitFor();
    await workbench.screenshot('commit-message');
  });

  it('does not change the open conversation', async () => {
    const chat = await focusChat(workbench);
    await chat.locator('article[data-outcome]').first().waitFor();
    assert.equal(await chat.locator('article[data-outcome]').count(), 2);
  });

  it('can be followed by a review of the changes', async () => {
    const chat = await askedBy('K3: Review Changes', 3);
    const question = (await chat.locator('article').nth(-2).textContent()) ?? '';
    assert.match(question, /Review the changes in k3-review-/);
    assert.match(question, /\+ {2}let total = 0;/);
    await workbench.runCommand('Problems: Focus on Problems View');
    await problems().filter({ hasText: 'None of the tests shown' }).waitFor();
    await workbench.screenshot('findings-changes');
  });
});
