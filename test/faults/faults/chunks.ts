/** Streams with unusual events: errors among them, other names of reasoning, usage in other places, odd tool calls. */
import type { ServiceErrorKind } from '../../../src/service/errors.ts';
import { chunkOf, USAGE, USAGE_CHUNK } from '../../unit/service/wire.ts';
import { NO_TEXT, type StreamedEvent, TOOL } from '../answer.ts';
import { type Fault, IN_BODY, type Phase } from '../fault.ts';
import { COMPLETE, complete } from './expect.ts';

const WHOLE: readonly Phase[] = ['headers', 'arguments', 'tool-round'];
const ANSWERS: readonly Phase[] = ['headers', 'tool-round'];

const error = (name: string, text: string, kind: ServiceErrorKind): Fault => ({
  name,
  phases: IN_BODY,
  async act(reply) {
    await reply.write(text);
    await reply.end();
  },
  expected: ({ phase }) =>
    phase === 'after-finish'
      ? { outcome: 'complete', failure: kind, also: ['usage-missing'] }
      : {
          outcome: 'failed',
          failure: kind,
          told: /The service reported an error.*received before it is kept/s,
        },
});

const BROKE = { message: 'The engine broke', type: 'server_error' };

export const ERRORS: readonly Fault[] = [
  error('error-object', `data: ${JSON.stringify({ error: BROKE })}\n\n`, 'server-failed'),
  error('error-event', 'event: error\ndata: {"message":"The engine broke"}\n\n', 'stream-error'),
  error('error-flat', `data: ${JSON.stringify({ object: 'error', ...BROKE })}\n\n`, 'server-failed'),
];

type Change = (events: readonly StreamedEvent[]) => readonly StreamedEvent[];

const changed = (name: string, change: Change, more: Partial<Fault> = {}): Fault => ({
  name,
  phases: WHOLE,
  style: () => ({ change }),
  expected: () => COMPLETE,
  ...more,
});

const isUsage = ({ data }: StreamedEvent) => data === USAGE_CHUNK;
const withoutUsage: Change = (events) => events.filter((one) => !isUsage(one));
const withUsage =
  (usage: object): Change =>
  (events) =>
    events.map((one) => (isUsage(one) ? { ...one, data: { ...USAGE_CHUNK, usage } } : one));

const ZERO = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

interface Chunk {
  readonly choices?: readonly { readonly delta?: object; readonly finish_reason?: string | null }[];
}

/** The events with each delta changed. */
const deltas =
  (change: (delta: Readonly<Record<string, unknown>>, event: StreamedEvent) => object): Change =>
  (events) =>
    events.map((event) => {
      const choice = typeof event.data === 'string' ? undefined : (event.data as Chunk).choices?.[0];
      if (choice?.delta === undefined) return event;
      const delta = change({ ...choice.delta }, event);
      return { ...event, data: chunkOf(delta, choice.finish_reason ?? null) };
    });

const reasoningAs = (name: string, toFields: (text: string) => object) =>
  changed(
    name,
    deltas((delta, { text: { reasoning } }) => (reasoning === '' ? delta : toFields(reasoning))),
  );

/** Reasoning between tags, in content. */
const inTags =
  (open: string, close: string): Change =>
  (events) => {
    const last = events.findLastIndex(({ text }) => text.reasoning !== '');
    const first = events.findIndex(({ text }) => text.reasoning !== '');
    return events.map((event, at) => {
      const { reasoning } = event.text;
      if (reasoning === '') return event;
      const content = `${at === first ? open : ''}${reasoning}${at === last ? close : ''}`;
      return { ...event, data: chunkOf({ content }) };
    });
  };

export const CHUNKS: readonly Fault[] = [
  changed('usage-missing', withoutUsage, {
    phases: ANSWERS,
    expected: complete('usage-missing'),
  }),
  changed('usage-zero', withUsage(ZERO), { phases: ANSWERS, expected: complete('usage-missing') }),
  changed(
    'usage-null',
    withUsage({ ...USAGE, completion_tokens_details: null, prompt_tokens_details: null }),
  ),
  changed('usage-twice', (events) => events.flatMap((one) => (isUsage(one) ? [one, one] : [one]))),
  changed('usage-in-choice', (events) =>
    events.map((one) =>
      isUsage(one)
        ? { ...one, data: { ...chunkOf({}), choices: [{ index: 0, delta: {}, usage: USAGE }] } }
        : one,
    ),
  ),
  changed(
    'another-model',
    (events) =>
      events.map((one) =>
        typeof one.data === 'string' ? one : { ...one, data: { ...one.data, model: 'other' } },
      ),
    { phases: ANSWERS, expected: complete('model-substituted') },
  ),
  reasoningAs('reasoning-both-names', (text) => ({ reasoning_content: text, reasoning: text })),
  reasoningAs('reasoning-details', (text) => ({
    reasoning_details: [{ type: 'reasoning.text', text, index: 0 }],
  })),
  changed('reasoning-in-tags', inTags('<think>', '</think>'), {
    phases: ['headers', 'tool-round', 'arguments'],
  }),
  changed('reasoning-in-triangles', inTags('◁think▷', '◁/think▷'), { phases: ['headers'] }),
  changed('reasoning-without-open-tag', inTags('', '</think>'), { phases: ['headers'] }),
  changed('reasoning-empty-at-end', (events) => {
    const last = events.findLastIndex(({ text }) => text.reasoning !== '');
    return events.flatMap((one, at) =>
      at === last ? [one, { data: chunkOf({ reasoning_content: '' }), text: NO_TEXT }] : [one],
    );
  }),
];

/** The call of every row, with each of its deltas changed. */
const call = (
  name: string,
  change: (delta: Record<string, unknown>, at: number) => object,
  more: Partial<Fault> = {},
) =>
  changed(
    name,
    (events) => {
      let at = 0;
      return deltas((delta) => {
        const calls = delta['tool_calls'] as readonly Record<string, unknown>[] | undefined;
        return calls === undefined
          ? delta
          : { ...delta, tool_calls: calls.map((one) => change({ ...one }, at++)) };
      })(events);
    },
    { phases: ['arguments'], ...more },
  );

const withFunction = (delta: Record<string, unknown>, more: object) => ({
  ...delta,
  function: { ...(delta['function'] as object), ...more },
});
const argumentsOf = (piece: string): StreamedEvent => ({
  data: chunkOf({ tool_calls: [{ index: 0, function: { arguments: piece } }] }),
  text: { ...NO_TEXT, calls: piece },
});
const named = (index: number | undefined, id: string, args: string, name = TOOL): StreamedEvent => ({
  data: chunkOf({
    tool_calls: [
      { ...(index !== undefined && { index }), id, type: 'function', function: { name, arguments: args } },
    ],
  }),
  text: { ...NO_TEXT, calls: args },
});
const unnamed = (index: number | undefined, args: string): StreamedEvent => ({
  data: chunkOf({ tool_calls: [{ ...(index !== undefined && { index }), function: { arguments: args } }] }),
  text: NO_TEXT,
});
const finish = (reason: string): StreamedEvent => ({ data: chunkOf({}, reason), text: NO_TEXT });

/** Other events instead of the rest of the call. */
const calls = (
  name: string,
  events: readonly StreamedEvent[],
  reason: string,
  more: Partial<Fault> = {},
): Fault => ({
  name,
  phases: ['arguments'],
  async act(reply) {
    await reply.send([argumentsOf('"x"}'), ...events, finish(reason)]);
    await reply.send(reply.rest.slice(-2));
    reply.over();
    await reply.end();
  },
  expected: () => COMPLETE,
  ...more,
});

export const CALLS: readonly Fault[] = [
  call('call-without-index', ({ index: _, ...delta }) => delta),
  call('call-index-late', ({ index, ...delta }, at) => (at === 0 ? delta : { ...delta, index })),
  call('call-empty-names', (delta, at) =>
    at === 0 ? delta : withFunction({ ...delta, id: '' }, { name: '' }),
  ),
  call('call-odd-id', (delta, at) => (at === 0 ? { ...delta, id: 'functions.look:0' } : delta)),
  call('call-without-id', ({ id: _, ...delta }) => delta),
  calls('call-new-id-on-index', [named(0, 'call_2', '{"of":"b"}')], 'tool_calls'),
  calls('calls-without-index', [named(undefined, 'call_2', '{"of":"b"}')], 'tool_calls'),
  calls('call-never-offered', [named(1, 'call_2', '{"of":"b"}', 'other')], 'tool_calls'),
  calls('call-broken-json', [named(1, 'call_2', '{"of":')], 'tool_calls'),
  calls(
    'calls-interleaved',
    [
      { data: named(1, 'call_2', '{"of":').data, text: NO_TEXT },
      { data: named(2, 'call_3', '{"of":').data, text: NO_TEXT },
      unnamed(1, '"b"}'),
      { data: unnamed(2, '"c"}').data, text: { ...NO_TEXT, calls: '{"of":"b"}{"of":"c"}' } },
    ],
    'tool_calls',
  ),
  // F2: the budget ended in the arguments. The call is not run.
  calls('call-cut-by-budget', [named(1, 'call_2', '{"of":')], 'length', {
    expected: () => ({ outcome: 'truncated', told: /cut off/ }),
  }),
  // A call without its own finish reason is never run, although its arguments are valid JSON.
  {
    name: 'call-valid-but-cut',
    phases: ['arguments'],
    async act(reply) {
      await reply.send([argumentsOf('"x"}')]);
      await reply.end();
    },
    expected: () => ({ outcome: 'interrupted', told: /interrupted/ }),
  },
  {
    name: 'call-with-stop',
    phases: ['arguments'],
    async act(reply) {
      await reply.send([argumentsOf('"x"}'), finish('stop'), ...reply.rest.slice(-2)]);
      await reply.end();
    },
    expected: () => ({ outcome: 'complete', also: ['calls-not-run'], posts: 0 }),
  },
];
