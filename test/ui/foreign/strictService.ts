/**
 * The main use with the strict service of test/foreign, which was written without knowledge of the client: over plain
 * HTTP, in a real workbench. It also counts errors of the client in requests that it answers.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Frame, Locator } from 'playwright-core';
import {
  answerEnded,
  askQuestion,
  enterText,
  newConversation,
  outcomeOf,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { makePng } from '../../support/pictures.ts';
import { EXPECTED } from '../../support/strictOutcomes.ts';
import { transferTo } from '../../support/transfer.ts';
import { strict, workbench } from '../review/stage.ts';

/**
 * The markers that the reader meets in the panel. `test/unit/interop/strictOutcomes.test.ts` has what is told about all of them, and has
 * the second question on the gateway.
 */
const IN_THE_PANEL: readonly string[] = ['budget-spent', 'dropped', '429-twice'];

describe('A strict service', () => {
  const markers = EXPECTED.filter(({ marker }) => IN_THE_PANEL.includes(marker));
  let chat: Frame;
  let answer: Locator;

  before(async () => {
    chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, 'straight');
    // The next tests look at its answer, and ask the second question.
    answer = await askQuestion(chat, 'What is a good name for a boat?');
  });

  it('streams reasoning and answer; the steps are in the tree and the usage in the status bar', async () => {
    assert.equal(await outcomeOf(answer), 'complete');
    assert.ok((await answer.locator('[data-part="reasoning"]').textContent())?.length);
    await workbench.page.locator('.statusbar-item', { hasText: /tokens.*\$/ }).waitFor();
    const rows = workbench.page.locator('.pane:has([aria-label^="Reasoning"]) .monaco-list-row');
    await rows.nth(2).waitFor();
    await workbench.screenshot('strict-straight');
  });

  it('R11 R4 gets the second question after the same bytes as the first, including its reasoning', async () => {
    const first = strict.direct.requests.at(-1)?.text ?? '';
    assert.equal(await outcomeOf(await askQuestion(chat, 'And for a second one?')), 'complete');
    const second = strict.direct.requests.at(-1)?.text ?? '';
    const prefix = first.slice(0, first.indexOf(']', first.indexOf('"messages"')));
    assert.ok(prefix.length > 40 && second.startsWith(prefix), `${prefix}\n${second}`);
  });

  // The gateway gets the same: see test/unit/interop/imageForms.test.ts.
  it('gets an image byte for byte, also with the question that is edited', async () => {
    const png = makePng(60, 40);
    const sent = () => strict.direct.requests.at(-1)?.text.includes(png.toString('base64'));
    chat = await newConversation(workbench);
    await transferTo(chat, 'paste', { files: [{ name: 'boat.png', bytes: png }] });
    await chat.getByRole('list', { name: 'Attachments' }).locator('img').waitFor();
    assert.equal(await outcomeOf(await askQuestion(chat, 'What is it?')), 'complete');
    assert.ok(sent());
    const before = strict.direct.requests.length;
    await chat.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
    const edited = chat.getByRole('article', { name: 'You: Edit' });
    await edited.getByRole('img', { name: 'boat.png' }).waitFor();
    await workbench.screenshot('strict-straight-image');
    await enterText(edited.getByRole('textbox', { name: 'Edit' }), 'And what is it called?');
    await edited.getByRole('button', { name: 'Send', exact: true }).press('Enter');
    await eventually(() => assert.equal(strict.direct.requests.length, before + 1));
    // The page shows the new answer only after the service has its request.
    await chat.locator('article.you', { hasText: 'And what is it called?' }).waitFor();
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
    assert.ok(sent());
  });

  for (const { marker, outcome, message, requests = 1 } of markers) {
    it(`${marker}: ${outcome}`, async () => {
      const before = strict.direct.requests.length;
      chat = await newConversation(workbench);
      answer = await askQuestion(chat, `Tell me more [[${marker}]]`);
      assert.equal(await outcomeOf(answer), outcome, await answer.innerText());
      if (message !== undefined)
        await eventually(async () => assert.match(await answer.innerText(), message));
      assert.equal(strict.direct.requests.length - before, requests);
    });
  }

  it('finds no errors in the requests', () => {
    assert.deepEqual(strict.direct.violations, []);
  });
});
