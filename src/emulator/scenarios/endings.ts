/** Streams that end too early, too late, twice or never (R9, E9; docs/service.md, Faults to survive). */
import { gzipSync } from 'node:zlib';
import { type Act, type Acts, jsonReply, type Phase, write } from '../acts.ts';
import { DONE_EVENT, STREAM_HEADERS } from '../frames.ts';
import type { Scenario } from './scenario.ts';
import { breakOffIn } from './scenarioParts.ts';
import { twoCalls } from './scenarioTools.ts';

const FAULTS = 'service.md: Faults to survive';

/** The places in a stream where it can break, and what to call them. */
const PLACES: readonly { readonly phase: Phase; readonly name: string; readonly words: string }[] = [
  { phase: 'reasoning', name: 'reasoning', words: 'the reasoning' },
  { phase: 'answer', name: 'answer', words: 'the answer' },
  { phase: 'tools', name: 'tools', words: 'the arguments of a tool call' },
];

/** One scenario for each place; those inside tool arguments bring their own calls. */
function inEachPlace(
  prefix: string,
  title: string,
  row: string,
  acts: (phase: Phase, acts: readonly Act[]) => Acts,
): readonly Scenario[] {
  return PLACES.map(({ phase, name, words }) => ({
    name: `${prefix}-${name}`,
    row,
    title: `${title} ${words}`,
    ...(phase === 'tools' ? { draft: twoCalls } : {}),
    acts: (all) => acts(phase, all),
  }));
}

export const ENDING_SCENARIOS: readonly Scenario[] = [
  {
    name: 'no-done',
    row: 'R9',
    title: 'The stream ends after its finish reason and usage, without [DONE]',
    acts: (acts) => acts.filter((act) => !(act.type === 'write' && act.phase === 'done')),
  },
  {
    name: 'no-finish',
    row: 'R9',
    title: '[DONE] comes, a finish reason never does',
    frames: (frames) => frames.filter(({ phase }) => phase !== 'finish'),
  },
  {
    name: 'done-early',
    row: FAULTS,
    title: '[DONE] comes before the finish reason; more chunks follow it',
    acts: (acts) =>
      acts.flatMap((act) =>
        act.type === 'write' && act.phase === 'finish' ? [write(DONE_EVENT, 'done'), act] : [act],
      ),
  },
  {
    name: 'done-twice',
    row: FAULTS,
    title: '[DONE] comes twice',
    acts: (acts) =>
      acts.flatMap((act) => (act.type === 'write' && act.phase === 'done' ? [act, act] : [act])),
  },
  {
    name: 'reset',
    row: FAULTS,
    title: 'The connection is reset before the headers',
    acts: () => [{ type: 'break', how: 'reset' }],
  },
  ...inEachPlace('cut-mid', 'The connection is closed without a word in', 'R9', (phase, acts) =>
    breakOffIn(phase, acts, { type: 'break', how: 'cut' }),
  ),
  ...inEachPlace('reset-mid', 'The connection is reset in', FAULTS, (phase, acts) =>
    breakOffIn(phase, acts, { type: 'break', how: 'reset' }),
  ),
  ...inEachPlace('clean-close', 'The body ends as HTTP wants it, without [DONE], in', 'R9', (phase, acts) =>
    breakOffIn(phase, acts, { type: 'end' }),
  ),
  {
    name: 'clean-close',
    row: 'R9',
    title: 'The same as clean-close-answer',
    acts: (acts) => breakOffIn('answer', acts, { type: 'end' }),
  },
  {
    name: 'stall-headers',
    row: 'E9',
    title: 'No headers, ever',
    acts: () => [{ type: 'hang' }],
  },
  {
    name: 'stall-body',
    row: 'E9',
    title: 'Headers, and then nothing, ever',
    acts: (acts) => [...acts.filter((act) => act.type === 'head'), { type: 'hang' }],
  },
  ...inEachPlace('stall', 'Nothing more comes, and nothing closes, in', 'E9', (phase, acts) =>
    breakOffIn(phase, acts, { type: 'hang' }),
  ),
  {
    name: 'keep-alives',
    row: FAULTS,
    title: 'Headers, and then nothing but comments that keep the connection alive',
    acts: (acts) => keepAlive(acts.filter((act) => act.type === 'head')),
  },
  {
    name: 'keep-alives-reasoning',
    row: FAULTS,
    title: 'Nothing but keep-alive comments from the middle of the reasoning on',
    acts: (acts) => keepAlive(breakOffIn('reasoning', acts)),
  },
  {
    name: 'keep-alives-answer',
    row: FAULTS,
    title: 'Nothing but keep-alive comments from the middle of the answer on',
    acts: (acts) => keepAlive(breakOffIn('answer', acts)),
  },
  {
    name: 'json-instead-of-stream',
    row: 'Q9',
    title: 'A stream was asked for; the reply is one JSON body',
    asWhole: true,
  },
  {
    name: 'empty-200',
    row: FAULTS,
    title: 'Status 200 with an empty body',
    instead: () => [{ type: 'head', status: 200, headers: STREAM_HEADERS }, { type: 'end' }],
  },
  {
    name: 'only-done',
    row: 'R9',
    title: 'A stream with nothing in it but [DONE]',
    instead: () => [
      { type: 'head', status: 200, headers: STREAM_HEADERS },
      write(DONE_EVENT, 'done'),
      { type: 'end' },
    ],
  },
  {
    name: 'gzip',
    row: FAULTS,
    title: 'The body is compressed, when the client says that it can read that',
    acts: (acts, { acceptsGzip }) => (acceptsGzip ? compressed(acts, 1) : acts),
  },
  {
    name: 'gzip-cut',
    row: FAULTS,
    title: 'The body is compressed whether the client reads that or not, and only half of it comes',
    acts: (acts) => compressed(acts, 0.5),
  },
  {
    name: 'gzip-unasked',
    row: FAULTS,
    title: 'The body is compressed event by event although the client asked for none of that',
    acts: (acts) => acts.map(compressedAlone),
  },
  {
    name: 'json-cut',
    row: FAULTS,
    title: 'One JSON body, of which only half comes',
    instead: () => {
      const acts = jsonReply(200, { id: 'chatcmpl-cut', object: 'chat.completion', choices: [] });
      return breakOffIn('answer', acts, { type: 'end' });
    },
  },
];

const KEEP_ALIVE_MS = 250;

/** Acts without an end: only the client can put one to it. */
function* keepAlive(acts: Acts): Generator<Act> {
  yield* acts;
  for (;;) {
    yield write(': PROCESSING\n\n');
    yield { type: 'wait', ms: KEEP_ALIVE_MS };
  }
}

/** Each write is a gzip of its own; one after the other they are one, too. */
function compressedAlone(act: Act): Act {
  if (act.type === 'write') return { ...act, bytes: gzipSync(act.bytes) };
  return act.type === 'head' ? asGzip(act) : act;
}

function asGzip(head: Extract<Act, { type: 'head' }>): Act {
  return { ...head, headers: { ...head.headers, 'content-encoding': 'gzip' } };
}

/** The whole body compressed, of which a part is sent. */
function compressed(acts: readonly Act[], part: number): readonly Act[] {
  const body = Buffer.concat(
    acts.flatMap((act) =>
      act.type === 'write' ? [typeof act.bytes === 'string' ? Buffer.from(act.bytes) : act.bytes] : [],
    ),
  );
  const bytes = gzipSync(body);
  return acts.flatMap((act): readonly Act[] => {
    if (act.type === 'write') return [];
    if (act.type === 'head') {
      return [asGzip(act), write(bytes.subarray(0, Math.ceil(bytes.length * part)))];
    }
    return [act];
  });
}
