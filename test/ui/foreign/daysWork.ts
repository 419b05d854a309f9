/**
 * What a day’s work adds to questions and answers, with the strict service and by keyboard: a plan, Why?, the map of a turn, another
 * attempt with another effort, and a fix in the code.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Frame, Locator } from 'playwright-core';
import {
  answerEnded,
  askQuestion,
  newConversation,
  outcomeOf,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { endEdit } from '../../support/reviewDriver.ts';
import { folder, strict, workbench } from '../review/stage.ts';
import { fixFromProblem } from './problem.ts';

const SORTING = 'How would you sort them?';

describe('A day’s work with a strict service', () => {
  let chat: Frame;
  let keys: ReturnType<typeof createKeyboard>;

  before(async () => {
    keys = createKeyboard(workbench);
    await writeFile(join(folder, 'letter.txt'), 'We recieve it today.\n');
    await keys.open('clock.ts');
    chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, 'straight');
  });

  it('keeps the plan of the model in the answer and in the status bar', async () => {
    const items = [
      { text: 'Read the clock', state: 'done' },
      { text: 'Shorten it', state: 'in_progress' },
    ];
    const answer = await askQuestion(chat, `[[tool-calls:update_plan ${JSON.stringify({ items })}]]`);
    assert.equal(await outcomeOf(answer), 'complete');
    await answer.getByRole('button', { name: 'Plan: 1 of 2 · Shorten it' }).press('Enter');
    await answer.getByRole('listitem').filter({ hasText: 'Shorten it' }).waitFor();
    await workbench.screenshot('strict-plan');
  });

  it('asks how names are sorted', async () => {
    assert.equal(await outcomeOf(await askQuestion(chat, SORTING)), 'complete');
  });

  /** The answer to that question, which is the last one. */
  async function sorted(): Promise<Locator> {
    const isAsked = (await chat.locator('article.you').last().innerText()).includes(SORTING);
    return isAsked ? answerEnded(chat) : askQuestion(chat, SORTING);
  }

  it('answers Why? with keys, and shows the map of the turn', async () => {
    const answer = await sorted();
    await answer.locator('[data-part="answer"] strong', { hasText: 'collator' }).selectText();
    await answer.focus();
    await keys.press('Control+k', 'y');
    await chat.locator('.step.is-current').waitFor();
    await workbench.screenshot('strict-why');
    await keys.press('Escape');
    await chat.locator('.why').waitFor({ state: 'detached' });
    await keys.run('K3: Show Turn Map');
    await keys.at(/^chat: Waiting for the service/);
    await workbench.screenshot('strict-map');
    await keys.press('ArrowRight');
    await keys.at(/^chat: (?:Step \d: .*, about \d+ tokens|\d+ more)/);
  });

  it('asks again with another effort, and compares the attempts', async () => {
    await sorted();
    const before = strict.direct.requests.length;
    await keys.run('K3: Ask Again With…');
    await keys.pick('high', 'high');
    await eventually(() => assert.equal(strict.direct.requests.length, before + 1), 60_000);
    assert.equal(JSON.parse(strict.direct.requests.at(-1)?.text ?? '{}').reasoning_effort, 'high');
    // The page shows the new attempt only after the service has its request.
    await chat
      .getByText(/2 ?[/] ?2/)
      .first()
      .waitFor();
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
    await workbench.screenshot('strict-attempts');
    await keys.run('K3: Compare Attempts');
    await workbench.page.locator('.tab', { hasText: 'attempt 1 ↔ attempt 2' }).first().waitFor();
    const lines = workbench.page.locator('.monaco-diff-editor .modified .view-line');
    await lines
      .filter({ hasText: /reasoning/i })
      .first()
      .waitFor();
    await workbench.screenshot('strict-compare');
    await workbench.execute('workbench.action.closeActiveEditor');
  });

  it('fixes a problem of the editor with a quick fix', async () => {
    const before = strict.direct.requests.length;
    await keys.open('letter.txt');
    const thread = await fixFromProblem(keys, 'strict');
    await eventually(() => assert.equal(strict.direct.requests.length, before + 1), 60_000);
    const { messages } = JSON.parse(strict.direct.requests.at(-1)?.text ?? '{}');
    assert.match(messages.at(-1).content, /Fix this code[\s\S]*line 1: Did you mean “receive”\?/);
    await thread.getByText(/Not placed/).waitFor();
    await workbench.screenshot('strict-fix');
    await endEdit(workbench, thread);
  });

  it('finds no errors in the requests', () => {
    assert.ok(strict.direct.requests.length > 5);
    assert.deepEqual(strict.direct.violations, []);
  });
});
