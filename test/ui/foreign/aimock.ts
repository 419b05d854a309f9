/** The main use with `@copilotkit/aimock`. `test/unit/interop` has all its outcomes, and what the reader is told about them. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Frame, Locator } from 'playwright-core';
import { askQuestion, newConversation, outcomeOf, switchRouteTo } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { ANSWER, mock, REASONING, workbench } from '../review/stage.ts';

let chat: Frame;

/** The messages of each request, unchanged. */
const messagesSent = () =>
  mock
    .getRequests()
    .filter(({ path }) => path.endsWith('/chat/completions'))
    .map(({ body }) => JSON.stringify((body as { readonly messages?: unknown } | null)?.messages));

describe('With a service by another author', () => {
  let answer: Locator;

  before(async () => {
    chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, 'foreign');
    // The next tests look at its answer, and ask the second question.
    answer = await askQuestion(chat, 'which way should it go?');
  });

  it('shows the reasoning, the answer, the steps, and the usage in the status bar', async () => {
    assert.equal(await outcomeOf(answer), 'complete');
    await eventually(async () => {
      assert.equal(await answer.locator('[data-part="reasoning"]').textContent(), REASONING);
      assert.match(await answer.locator('[data-part="answer"]').innerText(), /The second way is shorter/);
    });
    await workbench.page.locator('.statusbar-item', { hasText: '1K tokens' }).waitFor();
    const rows = workbench.page.locator('.pane:has([aria-label^="Reasoning"]) .monaco-list-row');
    await rows.filter({ hasText: 'Then I weigh two ways' }).waitFor();
    await workbench.screenshot('foreign');
  });

  it('R11 sends the first question, reasoning, and answer byte for byte with the second question', async () => {
    await askQuestion(chat, 'why that one?');
    const [first = '?', second = ''] = messagesSent().slice(-2);
    assert.ok(second.startsWith(first.slice(0, -1)), `${first}\n${second}`);
    assert.ok(second.includes(JSON.stringify(REASONING)) && second.includes(JSON.stringify(ANSWER)));
  });

  it('shows that the key is wrong, and marks the response of the service', async () => {
    const answer = await askQuestion(chat, 'wrong key');
    assert.equal(await outcomeOf(answer), 'failed');
    await eventually(async () => {
      assert.match(await answer.innerText(), /key was not accepted/);
      assert.match((await answer.textContent()) ?? '', /Invalid Authentication/);
    });
  });

  it('shows the service’s own message for an unknown error', async () => {
    const answer = await askQuestion(chat, 'nothing matches this');
    assert.equal(await outcomeOf(answer), 'failed');
    await eventually(async () => assert.match((await answer.textContent()) ?? '', /No fixture matched/));
  });
});

describe('A context window that is nearly full', () => {
  it('shows a banner, and continues from a summary that the user can edit', async () => {
    chat = await newConversation(workbench);
    await askQuestion(chat, 'fill the window, please');
    const banner = chat.getByRole('status').filter({ hasText: 'of the context window' });
    await banner.waitFor();
    await workbench.screenshot('context-full');
    await banner.getByRole('button', { name: 'Summarize and continue' }).click();
    const box = chat.getByRole('textbox', { name: 'Message' });
    await chat.locator('article').first().waitFor({ state: 'detached' });
    await eventually(
      async () => assert.match(await box.inputValue(), /^Summary: .+\s+In short: herons\./),
      60_000,
    );
  });
});
