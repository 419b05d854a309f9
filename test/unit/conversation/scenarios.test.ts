import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import { toNotices } from '../../../src/conversation/outcomes/notices.ts';
import { runTurn } from '../../../src/conversation/runTurn.ts';
import type { Outcome, Turn } from '../../../src/conversation/turn.ts';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { createClient } from '../../../src/service/client.ts';
import type { ServiceErrorKind } from '../../../src/service/errors.ts';
import { nodeTransport } from '../../../src/service/nodeTransport.ts';
import { buildRequest } from '../../../src/service/request.ts';
import type { Message, RouteKind } from '../../../src/service/types.ts';

interface Expected {
  readonly outcome: Outcome;
  readonly kind?: ServiceErrorKind;
  /** Codes of notices, in addition to the one that names the outcome. */
  readonly also?: readonly string[];
  readonly tries?: number;
  /** The parts of the text that must be kept. */
  readonly kept?: 'both' | 'reasoning' | 'nothing';
  readonly calls?: number;
}

const complete: Expected = { outcome: 'complete', kept: 'both' };
const failed = (kind: ServiceErrorKind, tries = 1): Expected => ({
  outcome: 'failed',
  kind,
  tries,
  kept: 'nothing',
});
const again: Expected = { ...complete, tries: 3 };
const called = (calls = 2): Expected => ({ outcome: 'complete', kept: 'reasoning', calls });

/** The expected result of each scenario of the emulator. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  truncate: { outcome: 'truncated', kept: 'both' },
  'spent-on-reasoning': { outcome: 'spent-on-reasoning', kept: 'reasoning' },
  empty: { outcome: 'empty', kept: 'reasoning' },
  substitute: { ...complete, also: ['model-substituted'] },
  'no-model': complete,
  'effort-ignored': complete,
  'budget-clamped': complete,
  'content-filter': { outcome: 'filtered', kept: 'both' },
  'odd-finish': { ...complete, also: ['unknown-finish'] },
  'long-answer': complete,
  'renamed-reasoning': complete,
  'reasoning-details': complete,
  'both-names': complete,
  'think-tags': complete,
  'think-twin': complete,
  'renamed-in-answers': complete,
  'think-tags-split': complete,
  'think-no-open': complete,
  'think-triangles': complete,
  'empty-last-reasoning': complete,
  'no-usage': { ...complete, also: ['usage-missing'] },
  'zero-usage': { ...complete, also: ['usage-missing'] },
  'zero-total': { ...complete, also: ['usage-missing'] },
  'no-total': { ...complete, also: ['usage-missing'] },
  'usage-in-choice': complete,
  'usage-twice': complete,
  'usage-running': complete,
  'cached-top-level': complete,
  'cached-hit-miss': complete,
  'usage-as-text': complete,
  'odd-counts': complete,
  'no-done': complete,
  'no-finish': { outcome: 'interrupted', kept: 'both' },
  'done-early': { outcome: 'interrupted', kept: 'both', also: ['usage-missing'] },
  'done-twice': complete,
  reset: failed('connection-lost'),
  'cut-mid-reasoning': { outcome: 'interrupted', kept: 'reasoning' },
  'cut-mid-answer': { outcome: 'interrupted', kept: 'both' },
  'cut-mid-tools': { outcome: 'interrupted', kept: 'reasoning', calls: 1 },
  'reset-mid-reasoning': { outcome: 'interrupted', kept: 'reasoning' },
  'reset-mid-answer': { outcome: 'interrupted', kept: 'both' },
  'clean-close': { outcome: 'interrupted', kept: 'both' },
  'clean-close-reasoning': { outcome: 'interrupted', kept: 'reasoning' },
  'stall-headers': { outcome: 'stalled', kept: 'nothing' },
  'stall-body': { outcome: 'stalled', kept: 'nothing' },
  'stall-reasoning': { outcome: 'stalled', kept: 'reasoning' },
  'stall-answer': { outcome: 'stalled', kept: 'both' },
  'json-instead-of-stream': complete,
  'empty-200': failed('not-a-completion'),
  'only-done': { outcome: 'interrupted', kept: 'nothing', also: ['usage-missing'] },
  gzip: complete,
  'gzip-unasked': complete,
  'gzip-unnamed': complete,
  'json-cut': failed('not-a-completion'),
  '401': failed('bad-key'),
  '401-incorrect-key': failed('bad-key'),
  '403': failed('access-denied'),
  '404-direct': failed('model-unavailable'),
  '404-gateway': failed('model-unknown'),
  '404-html': failed('not-found'),
  'empty-messages': failed('invalid-request'),
  'forced-tool': failed('invalid-request'),
  '400': failed('invalid-request'),
  'content-filter-400': { outcome: 'filtered', kind: 'filtered', kept: 'nothing' },
  'context-overflow': failed('context-overflow'),
  'context-overflow-words': failed('context-overflow'),
  'image-arrays': complete,
  '407': failed('proxy-refused'),
  '408': failed('server-failed', 1),
  '409': failed('unknown'),
  '413': failed('too-large'),
  balance: failed('no-balance'),
  'balance-402': failed('no-balance'),
  'nested-error': failed('context-overflow'),
  'nil-type': failed('context-overflow'),
  'wrapped-error': failed('model-unavailable'),
  'html-200': failed('not-a-completion'),
  'error-200': failed('server-failed'),
  redirect: failed('redirected'),
  'redirect-path': failed('redirected'),
  'rate-limit': again,
  'rate-limit-untyped': again,
  'rate-limit-seconds': again,
  'rate-limit-ms': again,
  'rate-limit-date': again,
  'rate-limit-long': failed('rate-limited'),
  'rate-limit-forever': failed('rate-limited', 3),
  'engine-overloaded': again,
  overloaded: again,
  '500': failed('server-failed', 3),
  '502': failed('overloaded', 3),
  '503': failed('overloaded', 3),
  '504': failed('overloaded', 3),
  '529': failed('overloaded', 3),
  'error-mid-stream': { outcome: 'failed', kind: 'server-failed', kept: 'both' },
  'error-mid-reasoning': { outcome: 'failed', kind: 'server-failed', kept: 'reasoning' },
  'error-event-mid-stream': { outcome: 'failed', kind: 'stream-error', kept: 'both' },
  'error-object-mid-stream': { outcome: 'failed', kind: 'server-failed', kept: 'both' },
  'error-first': failed('server-failed'),
  'single-bytes': complete,
  crlf: complete,
  'split-crlf': complete,
  'bare-cr': complete,
  'no-space': complete,
  comments: complete,
  'multi-line': complete,
  'unknown-fields': complete,
  'null-fields': complete,
  'null-delta': complete,
  'empty-choices': complete,
  'content-parts': complete,
  'broken-chunk': { ...complete, also: ['damaged-events'] },
  'big-line': complete,
  'one-write': complete,
  tools: called(),
  'tools-interleaved': called(),
  'tools-no-index': called(),
  'tools-same-index': called(),
  'tools-empty-names': called(),
  'tools-split-names': called(4),
  'tools-one-chunk': called(),
  'tools-odd-ids': called(),
  'tools-truncated': { outcome: 'truncated', kept: 'reasoning', calls: 1 },
  'tools-truncated-valid': { outcome: 'interrupted', kept: 'reasoning', calls: 2 },
};

const NAME_OF_OUTCOME: Partial<Record<Outcome, string>> = {
  empty: 'empty-answer',
  complete: '',
  stopped: '',
};

for (const kind of ['direct', 'gateway'] satisfies RouteKind[]) {
  describe(`Each fault on the ${kind} route is reported as what it is`, () => {
    let emulator: Emulator;
    before(async () => {
      emulator = await startEmulator({ port: 0, route: kind, key: 'k', tokensPerSecond: 1_000_000 });
    });
    after(() => emulator.close());

    for (const [scenario, expected] of Object.entries(EXPECTED)) {
      it(`${scenario}: ${expected.outcome}${expected.kind === undefined ? '' : `, ${expected.kind}`}`, async () => {
        const turn = await ask(emulator, scenario, kind);
        const named = NAME_OF_OUTCOME[expected.outcome] ?? expected.outcome;
        const codes = toNotices(turn, undefined).map(({ code }) => code);
        assert.equal(turn.outcome, expected.outcome);
        if (expected.kind !== undefined) assert.equal(turn.failure?.kind, expected.kind);
        assert.deepEqual(codes, [...(named === '' ? [] : [named]), ...(expected.also ?? [])]);
        assert.equal(turn.tries, expected.tries ?? 1);
        assert.equal(turn.toolCalls.length, expected.calls ?? 0);
        assert.equal(turn.reasoning !== '', expected.kept !== 'nothing');
        assert.equal(turn.answer !== '', expected.kept === 'both');
      });
    }

    it('R4 records the name of the reasoning', async () => {
      assert.equal((await ask(emulator, 'renamed-reasoning', kind)).reasoningName, 'reasoning');
      assert.equal((await ask(emulator, 'reasoning-details', kind)).reasoningName, 'reasoning_details');
      assert.equal((await ask(emulator, 'both-names', kind)).reasoningName, 'reasoning_content');
      assert.equal((await ask(emulator, 'think-tags', kind)).reasoningName, 'tags');
    });

    it('never follows a redirect: its target receives no request', async () => {
      await ask(emulator, 'redirect', kind);
      assert.equal(emulator.requests.at(-1)?.scenario, 'redirect');
    });
  });
}

/** A question after an answer with reasoning, and one after a call that was answered. */
const CALL = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } } as const;
const AFTER_ANSWER: readonly Message[] = [
  { role: 'user', content: 'Why?' },
  { role: 'assistant', content: 'So.', reasoning_content: 'Hm.' },
  { role: 'user', content: 'And?' },
];
const AFTER_CALL: readonly Message[] = [
  { role: 'user', content: 'Look.' },
  { role: 'assistant', tool_calls: [CALL], reasoning: 'Hm.' },
  { role: 'tool', tool_call_id: 'a', content: 'a wall' },
];

describe('R4 A question after reasoning, on a route that takes it in another form', () => {
  let emulator: Emulator;
  before(async () => {
    emulator = await startEmulator({ port: 0, route: 'direct', key: 'k', tokensPerSecond: 1_000_000 });
  });
  after(() => emulator.close());
  const sentOf = () =>
    JSON.parse(emulator.requests.at(-1)?.body ?? '').messages[1] as Readonly<Record<string, unknown>>;

  for (const scenario of ['refuses-reasoning', 'refuses-reasoning-200'])
    it(`is answered without it: ${scenario}`, async () => {
      const turn = await ask(emulator, scenario, 'direct', AFTER_ANSWER);
      assert.equal(turn.outcome, 'complete');
      assert.equal(turn.request.withoutReasoning, true);
      assert.deepEqual(sentOf(), { role: 'assistant', content: 'So.' });
    });

  it('is answered with it under its documented name: renamed-in-answers', async () => {
    const turn = await ask(emulator, 'renamed-in-answers', 'direct', AFTER_CALL);
    assert.equal(turn.outcome, 'complete');
    assert.deepEqual([sentOf()['reasoning_content'], sentOf()['reasoning']], ['Hm.', undefined]);
  });
});

async function ask(
  emulator: Emulator,
  scenario: string,
  kind: RouteKind,
  messages: readonly Message[] = [{ role: 'user', content: `Explain src/app.ts, ${scenario} by ${kind}` }],
): Promise<Turn> {
  // Short only where it is reached: a busy machine can be silent for a second.
  const silence = EXPECTED[scenario]?.outcome === 'stalled' ? 700 : 8000;
  const client = createClient({
    transport: nodeTransport,
    route: {
      name: 'r',
      kind,
      root: `${emulator.url}/s/${scenario}/v1`,
      origin: emulator.url,
      model: 'svc-k3',
    },
    key: 'k',
    limits: { connecting: 2000, 'first-byte': silence, reasoning: silence, answering: silence },
    pause: async () => {},
  });
  const built = buildRequest({ model: 'svc-k3', messages });
  assert.ok(built.ok);
  const facts = {
    routeName: 'r',
    routeKind: kind,
    model: 'svc-k3',
    maxCompletionTokens: undefined,
    clampedFrom: undefined,
    effort: undefined,
    prompt: undefined,
    prefix: '',
  };
  let turn = createTurn('t', Date.now(), facts);
  const steps = runTurn(
    { client, now: () => performance.now() },
    turn,
    built.request,
    new AbortController().signal,
  );
  for await (const step of steps) turn = step.turn;
  return turn;
}
