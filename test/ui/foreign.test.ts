/** The main use with a service that is not ours: `@copilotkit/aimock`, over plain HTTP, in a real workbench. */
import assert from 'node:assert/strict';
import { LLMock } from '@copilotkit/aimock';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import type { SmallDisk } from '../faults/store/smallDisk.ts';
import { CANARY } from '../support/canary.ts';
import { askQuestion, focusChat, newConversation, outcomeOf } from '../support/chatDriver.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';
import { describeFaults, mountDiskOf } from './foreign/faults.ts';
import { describeStrictServices, type StrictServices, startStrictServices } from './strictService.ts';

const KEY = CANARY;
const REASONING = 'First I look at the question.\n\nThen I weigh two ways.\n\nAt last I choose one.';
const ANSWER = 'The **second** way is shorter:\n\n```ts\nconst way = 2;\n```\n';
const STREAMED = { chunkSize: 12, streamingProfile: { ttft: 50, tps: 200 } };
const usage = { prompt_tokens: 900, completion_tokens: 120, total_tokens: 1020 };

let mock: LLMock;
let strict: StrictServices;
let workbench: Workbench;
let chat: Frame;
let disk: SmallDisk | undefined;

before(async () => {
  mock = new LLMock({ port: 0, latency: 0 });
  const reply = { content: ANSWER, reasoning: REASONING, usage };
  mock.onMessage('which way', reply, STREAMED);
  mock.onMessage('why that one', reply, STREAMED);
  const nearlyFull = { prompt_tokens: 950_000, completion_tokens: 120, total_tokens: 950_120 };
  mock.onMessage('fill the window', { ...reply, usage: nearlyFull }, STREAMED);
  mock.onMessage('Summarise this conversation', { content: 'In short: herons.', usage }, STREAMED);
  mock.onMessage('cut yours short', { ...reply, finishReason: 'length' }, STREAMED);
  mock.onMessage('another model', { ...reply, model: 'gpt-9-tiny' }, STREAMED);
  mock.onMessage('filtered', { ...reply, finishReason: 'content_filter' }, STREAMED);
  mock.onMessage('hang up', reply, { ...STREAMED, truncateAfterChunks: 12 });
  mock.onMessage('wrong key', { error: { message: 'Invalid Authentication' }, status: 401 });
  await mock.start();
  strict = await startStrictServices();
  workbench = await startWorkbench({
    env: { K3_API_KEY: KEY, K3_GATEWAY_API_KEY: KEY },
    settings: {
      'k3.routes': { foreign: { kind: 'direct', baseUrl: `${mock.url}/v1` }, ...strict.routes },
      'k3.route': 'foreign',
    },
  });
  // The database is opened when the chat is.
  disk = mountDiskOf(workbench);
  chat = await focusChat(workbench);
});

after(async () => {
  await workbench?.dispose();
  await mock?.stop();
  await strict?.close();
});

async function askAnew(question: string) {
  chat = await newConversation(workbench);
  return askQuestion(chat, question);
}

/** The messages of each request, unchanged. */
const messagesSent = () =>
  mock
    .getRequests()
    .filter(({ path }) => path.endsWith('/chat/completions'))
    .map(({ body }) => JSON.stringify((body as { readonly messages?: unknown } | null)?.messages));

describe('With a service by another author', () => {
  it('shows the reasoning, the answer, the steps, and the usage in the status bar', async () => {
    const answer = await askQuestion(chat, 'which way should it go?');
    assert.equal(await outcomeOf(answer), 'complete');
    assert.equal(await answer.locator('[data-part="reasoning"]').textContent(), REASONING);
    assert.match(await answer.locator('[data-part="answer"]').innerText(), /The second way is shorter/);
    await workbench.page.locator('.statusbar-item', { hasText: '1,020 tokens' }).waitFor();
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

  it('shows that an answer was cut off', async () => {
    const answer = await askAnew('cut yours short');
    assert.equal(await outcomeOf(answer), 'truncated');
    assert.match(await answer.innerText(), /second way/);
  });

  it('shows that another model answered', async () => {
    const answer = await askAnew('another model, please');
    assert.match(await answer.innerText(), /gpt-9-tiny/);
  });

  it('shows that an answer was filtered', async () => {
    assert.equal(await outcomeOf(await askAnew('is this filtered?')), 'filtered');
  });

  it('shows that the connection was lost, and keeps the received text', async () => {
    const answer = await askAnew('hang up on me');
    assert.equal(await outcomeOf(answer), 'interrupted');
    assert.ok((await answer.locator('[data-part="reasoning"]').textContent())?.startsWith('First I look'));
  });

  it('shows that the key is wrong, and marks the response of the service', async () => {
    const answer = await askAnew('wrong key');
    assert.equal(await outcomeOf(answer), 'failed');
    assert.match(await answer.innerText(), /key was not accepted/);
    assert.match((await answer.textContent()) ?? '', /Invalid Authentication/);
  });

  it('E6 waits and retries after two responses that limit the rate', async () => {
    mock.nextRequestError(429, { message: 'Slow down', type: 'rate_limit_error' });
    mock.nextRequestError(429, { message: 'Slow down', type: 'rate_limit_error' });
    const before = messagesSent().length;
    assert.equal(await outcomeOf(await askAnew('which way now?')), 'complete');
    assert.equal(messagesSent().length - before, 3);
  });

  it('shows the service’s own message for an unknown error', async () => {
    const answer = await askAnew('nothing matches this');
    assert.equal(await outcomeOf(answer), 'failed');
    assert.match((await answer.textContent()) ?? '', /No fixture matched/);
  });
});

describe('A context window that is nearly full', () => {
  it('shows a banner, and continues from a summary that the user can edit', async () => {
    await askAnew('fill the window, please');
    const banner = chat.getByRole('status').filter({ hasText: 'of the context window' });
    await banner.waitFor();
    await workbench.screenshot('context-full');
    await banner.getByRole('button', { name: 'Summarize and continue' }).click();
    const box = chat.getByRole('textbox', { name: 'Message' });
    await chat.locator('article').first().waitFor({ state: 'detached' });
    for (let tries = 0; (await box.inputValue()) === '' && tries < 20; tries++)
      await workbench.page.waitForTimeout(200);
    assert.match(await box.inputValue(), /Summary of the conversation so far:\s+In short: herons\./);
  });
});

describeStrictServices(
  () => strict,
  () => workbench,
);

describeFaults(
  () => workbench,
  () => disk,
);
