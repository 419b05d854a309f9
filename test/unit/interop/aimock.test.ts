/**
 * Tests the client with an independent service, `@copilotkit/aimock`, and the faults that it can simulate.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChaosConfig, LLMock } from '@copilotkit/aimock';
import { after, afterEach, before, describe, it } from 'mocha';
import { toNotices } from '../../../src/conversation/outcomes/notices.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { createClient } from '../../../src/service/client.ts';
import { nodeTransport } from '../../../src/service/nodeTransport.ts';
import { toShownTurn } from '../../support/shownTurn.ts';
import { type Ask, askTurn } from './askTurn.ts';

const REASONING =
  'First I look at the question.\n\nThen I weigh two ways: 漢字, 🙂.\n\nAt last I choose one.';
const ANSWER = 'The **second** way is shorter, e\u0301 and 🙂 included.';
const usage = {
  prompt_tokens: 900,
  completion_tokens: 120,
  total_tokens: 1020,
  prompt_tokens_details: { cached_tokens: 256 },
  completion_tokens_details: { reasoning_tokens: 80 },
};
const REPLY = { content: ANSWER, reasoning: REASONING, usage };
/** A few characters per chunk, so that most text is split. */
const CHUNKS = { chunkSize: 3 };
/** With pauses between chunks: text that is written at once is lost when the stream breaks off. */
const STEADY = { ...CHUNKS, streamingProfile: { ttft: 5, tps: 500 } };

describe('@copilotkit/aimock as the service', () => {
  let mock: LLMock;
  before(async () => {
    mock = new LLMock({ port: 0, latency: 0 });
    await mock.start();
  });
  after(() => mock.stop());
  afterEach(() => mock.reset());

  const ask = async (messages: Ask['messages'], more: Partial<Ask> = {}) =>
    askTurn({ url: mock.url, messages, ...more });
  const codesOf = (turn: Turn) => toNotices(turn, undefined).map(({ code }) => code);

  describe('with a response', () => {
    it('R1 R3 streams reasoning before the answer, unchanged', async () => {
      mock.onMessage('which way', REPLY, CHUNKS);
      const phases: string[] = [];
      const { turn } = await ask('which way?', { onTurn: ({ phase }) => phases.push(phase) });
      assert.equal(turn.outcome, 'complete');
      assert.deepEqual([turn.reasoning, turn.answer], [REASONING, ANSWER]);
      assert.equal(turn.reasoningName, 'reasoning_content');
      assert.deepEqual(
        phases.filter((phase, index) => phase !== phases[index - 1]),
        ['connecting', 'first-byte', 'reasoning', 'answering', 'ended'],
      );
      assert.deepEqual(codesOf(turn), []);
    });

    it('R10 R11 counts tokens as the service does', async () => {
      mock.onMessage('which way', REPLY);
      assert.deepEqual((await ask('which way?')).turn.usage, {
        promptTokens: 900,
        completionTokens: 120,
        totalTokens: 1020,
        // It reports these numbers only in the format of OpenRouter.
        reasoningTokens: undefined,
        cachedTokens: undefined,
      });
    });

    it('can respond like OpenRouter: with keep-alive comments and detailed tokens', async () => {
      mock.onMessage('which way', REPLY, { ...CHUNKS, openRouterProcessing: true });
      const { turn } = await ask('which way?', { url: `${mock.url}/api` });
      assert.deepEqual([turn.outcome, turn.reasoning, turn.answer], ['complete', REASONING, ANSWER]);
      assert.deepEqual([turn.usage?.reasoningTokens, turn.usage?.cachedTokens], [80, 256]);
      assert.deepEqual(codesOf(turn), []);
    });

    it('keeps the id of the request, the id of the response, and the model that answered', async () => {
      mock.onMessage('which way', { ...REPLY, id: 'chatcmpl-foreign', model: 'gpt-9-tiny' });
      const { turn } = await ask('which way?');
      assert.match(turn.requestId ?? '', /./);
      assert.deepEqual([turn.responseId, turn.responseModel], ['chatcmpl-foreign', 'gpt-9-tiny']);
      assert.deepEqual(codesOf(turn), ['model-substituted']);
      assert.match(toShownTurn(turn).text, /gpt-9-tiny/);
    });

    it('F1 F2 F7 is reported as truncated, filtered, and empty', async () => {
      mock.onMessage('cut', { ...REPLY, finishReason: 'length' });
      mock.onMessage('spent', { ...REPLY, content: '', finishReason: 'length' });
      mock.onMessage('filter', { ...REPLY, finishReason: 'content_filter' });
      mock.onMessage('nothing', { ...REPLY, content: '' });
      const outcomes = await Promise.all(
        ['cut', 'spent', 'filter', 'nothing'].map(async (question) => (await ask(question)).turn.outcome),
      );
      assert.deepEqual(outcomes, ['truncated', 'spent-on-reasoning', 'filtered', 'empty']);
      const { turn } = await ask('cut');
      const shown = toShownTurn(turn);
      assert.deepEqual([shown.outcome, shown.problems], ['truncated', ['truncated']]);
      assert.match(shown.card, /cut off/);
    });

    it('R6 calls a tool, and receives its result with the reasoning', async () => {
      const args = { path: 'src/app.ts' };
      mock.on(
        { userMessage: 'read it', hasToolResult: false },
        { reasoning: REASONING, toolCalls: [{ id: 'call_7', name: 'read_file', arguments: args }] },
        CHUNKS,
      );
      mock.on({ toolCallId: 'call_7', toolResultContains: 'export {}' }, REPLY);
      const { turn } = await ask('read it');
      assert.equal(turn.outcome, 'complete');
      const [call] = turn.toolCalls;
      assert.deepEqual(
        [call?.id, call?.name, JSON.parse(call?.arguments ?? '')],
        ['call_7', 'read_file', args],
      );
      const second = await ask([
        { role: 'user', content: 'read it' },
        {
          role: 'assistant',
          reasoning_content: turn.reasoning,
          tool_calls: [
            {
              id: 'call_7',
              type: 'function',
              function: { name: 'read_file', arguments: call?.arguments ?? '' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_7', content: 'export {}' },
      ]);
      assert.equal(second.turn.answer, ANSWER);
    });

    it('M1 lists its models', async () => {
      const route = {
        name: 'r',
        kind: 'direct',
        root: `${mock.url}/v1`,
        origin: mock.url,
        model: 'svc-k3',
      } as const;
      const client = createClient({ transport: nodeTransport, route, key: 'a-key' });
      assert.ok((await client.models(new AbortController().signal)).length > 0);
    });
  });

  describe('refuses because of', () => {
    it('an unknown question, with its own message', async () => {
      const { turn, pauses } = await ask('nobody taught it this');
      assert.equal(turn.outcome, 'failed');
      assert.equal(turn.failure?.details.status, 404);
      assert.match(turn.failure?.details.serviceMessage ?? '', /No fixture matched/);
      assert.deepEqual(pauses, []);
    });

    const refusals = [
      ['a wrong key', 401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }, 'bad-key', 1],
      ['an unknown model', 404, { message: 'No such model', code: 'model_not_found' }, 'model-unknown', 1],
      ['a full context', 400, { message: 'maximum context length is 8192 tokens' }, 'context-overflow', 1],
      ['an empty account', 429, { message: 'You exceeded your current quota' }, 'no-balance', 1],
      ['too many requests', 429, { message: 'Slow down', type: 'rate_limit_error' }, 'rate-limited', 3],
      ['a server failure', 500, { message: 'Oh', type: 'server_error' }, 'server-failed', 3],
      ['peak hours', 503, { message: 'Overloaded', type: 'server_error' }, 'overloaded', 3],
      ['peak hours, by type', 529, { message: 'Overloaded', type: 'overloaded_error' }, 'overloaded', 3],
    ] as const;
    for (const [name, status, error, kind, tries] of refusals) {
      it(`${name}: ${status} is ${kind}`, async () => {
        mock.onMessage('hello', { error, status });
        const { turn } = await ask('hello');
        assert.deepEqual([turn.outcome, turn.failure?.kind, turn.tries], ['failed', kind, tries]);
        assert.equal(turn.failure?.details.serviceMessage, error.message);
      });
    }

    it('E6 too many requests, and answers after the pauses', async () => {
      mock.onMessage('hello', REPLY);
      mock.on(
        { userMessage: 'hello', sequenceIndex: 0 },
        { error: { message: 'Slow' }, status: 429, retryAfter: 7 },
      );
      mock.onMessage('patience', { error: { message: 'Slow' }, status: 429, retryAfter: 3600 });
      mock.nextRequestError(503, { message: 'Overloaded' });
      mock.nextRequestError(429, { message: 'Slow down' });
      const { turn, pauses } = await ask('hello');
      assert.deepEqual([turn.outcome, turn.tries, pauses], ['complete', 3, [1000, 2000]]);
      const { turn: later, pauses: none } = await ask('patience');
      assert.deepEqual([later.failure?.kind, later.tries, none], ['rate-limited', 1, []]);
      assert.equal(later.failure?.details.retryAfterMs, 3_600_000);
    });

    it('a wrong key, without a fixture', async () => {
      const guarded = new LLMock({ port: 0, auth: { apiKeys: ['the-key'] } });
      guarded.onMessage('hello', REPLY);
      await guarded.start();
      const wrong = await askTurn({ url: guarded.url, messages: 'hello', key: 'another' });
      const right = await askTurn({ url: guarded.url, messages: 'hello', key: 'the-key' });
      await guarded.stop();
      assert.deepEqual([wrong.turn.failure?.kind, right.turn.outcome], ['bad-key', 'complete']);
    });

    it('an unknown question with a 503 if it is strict, which is retried', async () => {
      const strict = new LLMock({ port: 0, strict: true });
      await strict.start();
      const { turn } = await askTurn({ url: strict.url, messages: 'hello' });
      await strict.stop();
      assert.deepEqual([turn.failure?.kind, turn.failure?.details.code], ['overloaded', 'no_fixture_match']);
      assert.equal(turn.tries, 3);
    });
  });

  describe('breaks off', () => {
    it('R9 E8 in the reasoning and in the answer: everything before that is kept', async () => {
      mock.onMessage('early', REPLY, { ...STEADY, truncateAfterChunks: 5 });
      mock.onMessage('late', REPLY, { ...STEADY, truncateAfterChunks: 35 });
      const [early, late] = await Promise.all([ask('early'), ask('late')]);
      for (const { turn } of [early, late]) {
        assert.equal(turn.outcome, 'interrupted');
        assert.ok(codesOf(turn).includes('interrupted'));
        assert.ok(turn.reasoning !== '' && REASONING.startsWith(turn.reasoning));
        assert.ok(ANSWER.startsWith(turn.answer));
        assert.equal(turn.tries, 1);
      }
      assert.equal(early.turn.answer, '');
      assert.ok(late.turn.answer !== '' && late.turn.reasoning === REASONING);
    });

    it('R9 after a time', async () => {
      mock.onMessage('hello', REPLY, { chunkSize: 4, streamingProfile: { tps: 50 }, disconnectAfterMs: 200 });
      const { turn } = await ask('hello');
      assert.equal(turn.outcome, 'interrupted');
      assert.ok(turn.reasoning !== '' && REASONING.startsWith(turn.reasoning));
    });

    const chaos: readonly (readonly [string, ChaosConfig, string, number])[] = [
      ['drops every request', { dropRate: 1 }, 'server-failed', 3],
      ['answers 429 to every request', { rateLimitRate: 1 }, 'rate-limited', 3],
      ['sends malformed JSON', { malformedRate: 1 }, 'not-a-completion', 1],
      ['disconnects at once', { disconnectRate: 1 }, 'connection-lost', 1],
    ];
    for (const [name, config, kind, tries] of chaos) {
      it(`in chaos that ${name}: ${kind}`, async () => {
        mock.onMessage('hello', REPLY);
        mock.setChaos(config);
        const { turn } = await ask('hello');
        assert.deepEqual([turn.outcome, turn.failure?.kind, turn.tries], ['failed', kind, tries]);
        assert.equal(turn.reasoning + turn.answer, '');
        mock.clearChaos();
        assert.equal((await ask('hello')).turn.outcome, 'complete');
      });
    }

    it('only for a time, and a retry (E6) succeeds', async () => {
      mock.onMessage('hello', REPLY);
      mock.setChaos({ dropRate: 1 });
      const { turn } = await ask('hello', {
        onTurn: ({ phase }) => void (phase === 'waiting' && mock.clearChaos()),
      });
      assert.deepEqual([turn.outcome, turn.tries], ['complete', 2]);
    });
  });

  describe('is slow', () => {
    it('E9 before the first byte, for longer than the limit', async () => {
      mock.onMessage('hello', REPLY, { chaos: { latencyMs: 2000 } });
      const { turn } = await ask('hello', { silentMs: 500 });
      assert.deepEqual([turn.outcome, turn.failure?.details.phase], ['stalled', 'first-byte']);
    });

    it('E9 in the reasoning, for longer than the limit', async () => {
      // It does not stop when the client has left, so this ends it.
      mock.onMessage('hello', REPLY, { streamingProfile: { ttft: 0, tps: 1 }, disconnectAfterMs: 800 });
      const { turn } = await ask('hello', { silentMs: 500 });
      assert.equal(turn.outcome, 'stalled');
    });

    it('until the user stops it', async () => {
      mock.onMessage('hello', REPLY, { ...CHUNKS, streamingProfile: { tps: 50 }, disconnectAfterMs: 300 });
      const reader = new AbortController();
      const { turn } = await ask('hello', {
        signal: reader.signal,
        onTurn: ({ reasoning }) => void (reasoning !== '' && reader.abort()),
      });
      assert.equal(turn.outcome, 'stopped');
      assert.ok(turn.reasoning !== '');
    });

    it('within the limit, which a complete answer may exceed many times', async () => {
      mock.onMessage('hello', REPLY, { ...CHUNKS, streamingProfile: { tps: 25 } });
      const { turn } = await ask('hello', { silentMs: 500 });
      assert.equal(turn.outcome, 'complete');
      assert.ok((turn.timings.ended ?? 0) > 1000);
      assert.ok((turn.timings.firstAnswer ?? 0) > (turn.timings.firstReasoning ?? Number.NaN));
    });
  });
});

describe('@copilotkit/aimock between our client and the emulator', () => {
  let emulator: Emulator;
  before(async () => {
    emulator = await startEmulator({
      port: 0,
      route: 'direct',
      key: 'a-key',
      tokensPerSecond: Number.POSITIVE_INFINITY,
    });
  });
  after(() => emulator.close());

  it('replays what it recorded, complete for our client', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'k3-aimock-'));
    const recorder = new LLMock({
      port: 0,
      record: { providers: { openai: emulator.url }, fixturePath: folder },
    });
    await recorder.start();
    const ask = () => askTurn({ url: recorder.url, messages: 'Replay: what is a monad?' });
    const { turn: first } = await ask();
    const asked = emulator.requests.length;
    const { turn: second } = await ask();
    await recorder.stop();
    await rm(folder, { recursive: true });
    assert.equal(emulator.requests.length, asked);
    assert.deepEqual([first.outcome, second.outcome], ['complete', 'complete']);
    assert.deepEqual([second.reasoning, second.answer], [first.reasoning, first.answer]);
    assert.equal(second.usage?.totalTokens, first.usage?.totalTokens);
  });

  for (const [scenario, outcome, kind, tries] of [
    ['', 'complete', undefined, 1],
    ['/s/single-bytes', 'complete', undefined, 1],
    ['/s/renamed-reasoning', 'complete', undefined, 1],
    ['/s/rate-limit-ms', 'complete', undefined, 3],
    ['/s/error-mid-stream', 'failed', 'server-failed', 1],
    ['/s/cut-mid-reasoning', 'interrupted', 'connection-lost', 1],
    ['/s/reset-mid-answer', 'interrupted', 'connection-lost', 1],
    ['/s/clean-close', 'interrupted', undefined, 1],
    ['/s/401', 'failed', 'bad-key', 1],
    ['/s/404-direct', 'failed', 'model-unavailable', 1],
    ['/s/503', 'failed', 'overloaded', 3],
    ['/s/reset', 'failed', 'overloaded', 3],
  ] as const) {
    it(`passes ${scenario || 'a complete answer'} on: ${kind ?? outcome}`, async () => {
      const proxy = new LLMock({
        port: 0,
        record: { providers: { openai: `${emulator.url}${scenario}` }, proxyOnly: true },
      });
      await proxy.start();
      const { turn } = await askTurn({ url: proxy.url, messages: `What is a monad? ${scenario}` });
      await proxy.stop();
      assert.deepEqual([turn.outcome, turn.failure?.kind, turn.tries], [outcome, kind, tries]);
      if (outcome === 'complete') assert.match(turn.reasoning, /monad/);
      // On a busy machine, thousands of single bytes take longer than the usual limit.
    });
  }
});
