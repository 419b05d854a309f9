/**
 * Tests the client with an independent gateway, `@portkey-ai/gateway`, in front of the emulator. Headers tell
 * the gateway where to send a request; a deployment adds them in front of it, here the transport does.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'mocha';
import { toNotices } from '../../../src/conversation/outcomes/notices.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { createClient } from '../../../src/service/client.ts';
import { nodeTransport } from '../../../src/service/nodeTransport.ts';
import type { Transport } from '../../../src/service/transport.ts';
import { probe, routeTo, verdictsOf } from '../probe/probing.ts';
import { type Ask, askTurn } from './askTurn.ts';

describe('@portkey-ai/gateway between our client and the emulator', () => {
  let emulator: Emulator;
  let gateway: ChildProcess;
  let url = '';
  before(async () => {
    emulator = await startEmulator({
      port: 0,
      route: 'direct',
      key: 'a-key',
      tokensPerSecond: Number.POSITIVE_INFINITY,
    });
    gateway = fork(new URL('./portkeyGateway.ts', import.meta.url), ['--headless'], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const [port] = await Promise.race([
      once(gateway, 'message'),
      once(gateway, 'exit').then(([code]) => assert.fail(`The gateway ended with code ${code}.`)),
    ]);
    url = `http://127.0.0.1:${port}`;
  });
  after(async () => {
    if (gateway.exitCode === null && gateway.kill()) await once(gateway, 'exit');
    await emulator.close();
  });

  const through =
    (scenario: string, provider: string): Transport =>
    (request) => {
      const host = `${emulator.url}${scenario === '' ? '' : `/s/${scenario}`}/v1`;
      const headers = {
        ...request.headers,
        'x-portkey-provider': provider,
        'x-portkey-custom-host': host,
      };
      return nodeTransport({ ...request, headers });
    };
  const ask = (scenario = '', more: Partial<Ask> = {}, provider = 'openai') =>
    askTurn({
      url,
      messages: `What is a monad? ${scenario}`,
      transport: through(scenario, provider),
      ...(scenario.startsWith('stall-') && { silentMs: 1500 }),
      ...more,
    });
  const codesOf = (turn: Turn) => toNotices(turn, undefined).map(({ code }) => code);

  it('R1 R3 R10 passes the reasoning, the answer, and the usage on unchanged', async () => {
    const { turn } = await ask();
    const { turn: direct } = await askTurn({ url: emulator.url, messages: 'What is a monad? ' });
    assert.equal(turn.outcome, 'complete');
    assert.deepEqual([turn.reasoning, turn.answer], [direct.reasoning, direct.answer]);
    assert.equal(turn.reasoningName, 'reasoning_content');
    assert.deepEqual({ ...turn.usage, cachedTokens: 0 }, { ...direct.usage, cachedTokens: 0 });
    assert.ok((turn.usage?.reasoningTokens ?? 0) > 0);
    assert.match(turn.requestId ?? '', /^emulated-/);
    assert.deepEqual(codesOf(turn), []);
  });

  it('does everything that the service behind it does, by a probe', async () => {
    for (const [scenario, dropped] of [
      ['', []],
      ['drops-images', ['images']],
    ] as const) {
      const { probe: found, end } = await probe(routeTo(url), { transport: through(scenario, 'openai') });
      assert.deepEqual(end, { by: 'done' });
      const { 'keep-alives': alive, ...verdicts } = verdictsOf(found);
      assert.equal(alive, 'unclear in-some');
      const others = Object.keys(verdicts).filter((check) => verdicts[check] !== 'yes');
      assert.deepEqual(others, dropped, JSON.stringify(verdicts));
    }
  });

  it('R11 passes a conversation on unchanged, so that its start is cached', async () => {
    const question = { role: 'user', content: 'Which way is shorter? '.repeat(300) } as const;
    const { turn } = await ask('', { messages: [question] });
    const answer = { role: 'assistant', reasoning_content: turn.reasoning, content: turn.answer } as const;
    const messages = [question, answer, { role: 'user', content: 'Why?' }] as const;
    const { turn: second } = await ask('', { messages });
    const sent: { readonly messages?: unknown } = JSON.parse(emulator.requests.at(-1)?.body ?? '{}');
    assert.deepEqual(sent.messages, messages);
    assert.ok((second.usage?.cachedTokens ?? 0) >= 1024, `${second.usage?.cachedTokens} cached tokens`);
  });

  for (const [scenario, outcome, more] of [
    ['renamed-reasoning', 'complete', []],
    ['reasoning-details', 'complete', []],
    ['think-tags-split', 'complete', []],
    ['truncate', 'truncated', ['truncated']],
    ['spent-on-reasoning', 'spent-on-reasoning', ['spent-on-reasoning']],
    ['substitute', 'complete', ['model-substituted']],
    ['comments', 'complete', []],
    ['multi-line', 'complete', []],
    ['no-done', 'complete', []],
    ['json-instead-of-stream', 'complete', []],
    ['gzip', 'complete', []],
    ['gzip-unasked', 'complete', []],
    ['tools-interleaved', 'complete', []],
    ['no-finish', 'interrupted', ['interrupted']],
    ['reset-mid-reasoning', 'interrupted', ['interrupted']],
    ['reset-mid-answer', 'interrupted', ['interrupted']],
    ['clean-close-answer', 'interrupted', ['interrupted']],
    ['stall-headers', 'stalled', ['stalled']],
    ['stall-reasoning', 'stalled', ['stalled']],
  ] as const) {
    it(`lets the client report ${scenario} as ${outcome}`, async () => {
      const { turn } = await ask(scenario);
      assert.equal(turn.outcome, outcome);
      assert.deepEqual(
        codesOf(turn).filter((code) => code !== 'usage-missing'),
        more,
      );
      assert.equal(turn.toolCalls.length, scenario.startsWith('tools') ? 2 : 0);
    });
  }

  for (const [scenario, kind, tries] of [
    ['401', 'bad-key', 1],
    ['403', 'access-denied', 1],
    ['404-direct', 'model-unavailable', 1],
    ['404-gateway', 'model-unknown', 1],
    ['404-html', 'not-found', 1],
    ['wrapped-error', 'model-unavailable', 1],
    ['nil-type', 'context-overflow', 1],
    ['content-filter-400', 'filtered', 1],
    ['413', 'too-large', 1],
    ['balance', 'no-balance', 1],
    ['balance-402', 'no-balance', 1],
    ['rate-limit-long', 'rate-limited', 1],
    ['rate-limit-forever', 'rate-limited', 3],
    ['500', 'server-failed', 3],
    ['503', 'overloaded', 3],
    ['529', 'overloaded', 3],
    ['reset', 'server-failed', 3],
    ['html-200', 'not-a-completion', 1],
    ['error-mid-stream', 'server-failed', 1],
    ['error-object-mid-stream', 'server-failed', 1],
  ] as const) {
    it(`lets the client report ${scenario} as ${kind}`, async () => {
      const { turn } = await ask(scenario);
      assert.equal(turn.outcome, kind === 'filtered' ? kind : 'failed');
      assert.deepEqual([turn.failure?.kind, turn.tries], [kind, tries]);
    });
  }

  it('E1 passes on the message about a wrong key', async () => {
    const { turn } = await ask('', { key: 'another' });
    assert.equal(turn.failure?.kind, 'bad-key');
    assert.match(turn.failure?.details.serviceMessage ?? '', /Invalid Authentication/);
  });

  it('E6 lets the client wait as long as the service says', async () => {
    const { turn, pauses } = await ask('rate-limit-seconds');
    assert.deepEqual([turn.outcome, turn.tries, pauses.length], ['complete', 3, 2]);
    const { turn: long } = await ask('rate-limit-long');
    assert.equal(long.failure?.details.retryAfterMs, 120_000);
  });

  it('does not hide the cause when it puts the complete error into the message, as it does for other providers', async () => {
    const kinds: unknown[] = [];
    for (const scenario of ['401', '404-gateway', '503']) {
      kinds.push((await ask(scenario, {}, 'x-ai')).turn.failure?.kind);
    }
    assert.deepEqual(kinds, ['bad-key', 'model-unknown', 'overloaded']);
    const { failure } = (await ask('404-gateway', {}, 'x-ai')).turn;
    assert.equal(failure?.details.didYouMean, 'svc-k3');
  });

  it('reports its own error for an unknown provider', async () => {
    const { turn } = await ask('', {}, 'nobody');
    assert.equal(turn.outcome, 'failed');
    assert.match(JSON.stringify(turn.failure?.details), /provider/i);
  });

  it('is stopped by the user, and so is the service', async () => {
    const reader = new AbortController();
    const { turn } = await ask('stall-answer', {
      signal: reader.signal,
      onTurn: ({ answer }) => void (answer !== '' && reader.abort()),
    });
    assert.equal(turn.outcome, 'stopped');
    assert.ok(turn.reasoning !== '' && turn.answer !== '');
  });

  it('M1 lists the models', async () => {
    const client = createClient({
      transport: through('', 'openai'),
      route: { name: 'r', kind: 'gateway', root: `${url}/v1`, origin: url, model: 'svc-k3' },
      key: 'a-key',
    });
    assert.deepEqual(await client.models(new AbortController().signal), ['svc-k3']);
  });
});
