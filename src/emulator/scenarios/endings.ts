/** Streams that end early, late, twice, or never (R9, E9; docs/service.md, Faults to survive). */
import { gzipSync } from 'node:zlib';
import { DONE_EVENT, STREAM_HEADERS } from '../frames.ts';
import { jsonReply, type Phase, type ReplyStep, type Steps, write } from '../steps.ts';
import { FAULTS, type Scenario } from './scenario.ts';
import { breakOffIn } from './scenarioParts.ts';
import { twoCalls } from './scenarioTools.ts';

/** The phases of a stream in which it can break, and their names. */
const PLACES: readonly { readonly phase: Phase; readonly name: string; readonly words: string }[] = [
  { phase: 'reasoning', name: 'reasoning', words: 'the reasoning' },
  { phase: 'answer', name: 'answer', words: 'the answer' },
  { phase: 'tools', name: 'tools', words: 'the arguments of a tool call' },
];

/** One scenario per phase; scenarios that break within tool arguments add tool calls. */
function inEachPhase(
  prefix: string,
  title: string,
  row: string,
  steps: (phase: Phase, steps: readonly ReplyStep[]) => Steps,
): readonly Scenario[] {
  return PLACES.map(({ phase, name, words }) => ({
    name: `${prefix}-${name}`,
    row,
    title: `${title} ${words}`,
    ...(phase === 'tools' ? { draft: twoCalls } : {}),
    steps: (all) => steps(phase, all),
  }));
}

export const ENDING_SCENARIOS: readonly Scenario[] = [
  {
    name: 'no-done',
    row: 'R9',
    title: 'The stream ends after its finish reason and usage, without [DONE]',
    steps: (steps) => steps.filter((step) => !(step.type === 'write' && step.phase === 'done')),
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
    steps: (steps) =>
      steps.flatMap((step) =>
        step.type === 'write' && step.phase === 'finish' ? [write(DONE_EVENT, 'done'), step] : [step],
      ),
  },
  {
    name: 'done-twice',
    row: FAULTS,
    title: '[DONE] comes twice',
    steps: (steps) =>
      steps.flatMap((step) => (step.type === 'write' && step.phase === 'done' ? [step, step] : [step])),
  },
  {
    name: 'reset',
    row: FAULTS,
    title: 'The connection is reset before the headers',
    steps: () => [{ type: 'break', how: 'reset' }],
  },
  ...inEachPhase('cut-mid', 'The connection is closed without a word in', 'R9', (phase, steps) =>
    breakOffIn(phase, steps, { type: 'break', how: 'cut' }),
  ),
  ...inEachPhase('reset-mid', 'The connection is reset in', FAULTS, (phase, steps) =>
    breakOffIn(phase, steps, { type: 'break', how: 'reset' }),
  ),
  ...inEachPhase('clean-close', 'The body ends as HTTP wants it, without [DONE], in', 'R9', (phase, steps) =>
    breakOffIn(phase, steps, { type: 'end' }),
  ),
  {
    name: 'clean-close',
    row: 'R9',
    title: 'The same as clean-close-answer',
    steps: (steps) => breakOffIn('answer', steps, { type: 'end' }),
  },
  {
    name: 'stall-headers',
    row: 'E9',
    title: 'No headers, ever',
    steps: () => [{ type: 'hang' }],
  },
  {
    name: 'stall-body',
    row: 'E9',
    title: 'Headers, and then nothing, ever',
    steps: (steps) => [...steps.filter((step) => step.type === 'head'), { type: 'hang' }],
  },
  ...inEachPhase('stall', 'Nothing more comes, and nothing closes, in', 'E9', (phase, steps) =>
    breakOffIn(phase, steps, { type: 'hang' }),
  ),
  {
    name: 'keep-alives',
    row: FAULTS,
    title: 'Headers, and then nothing but comments that keep the connection alive',
    steps: (steps) => keepAlive(steps.filter((step) => step.type === 'head')),
  },
  {
    name: 'keep-alives-reasoning',
    row: FAULTS,
    title: 'Nothing but keep-alive comments from the middle of the reasoning on',
    steps: (steps) => keepAlive(breakOffIn('reasoning', steps)),
  },
  {
    name: 'keep-alives-answer',
    row: FAULTS,
    title: 'Nothing but keep-alive comments from the middle of the answer on',
    steps: (steps) => keepAlive(breakOffIn('answer', steps)),
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
    steps: (steps, { acceptsGzip }) => (acceptsGzip ? compressed(steps, 1) : steps),
  },
  {
    name: 'gzip-cut',
    row: FAULTS,
    title: 'The body is compressed whether the client reads that or not, and only half of it comes',
    steps: (steps) => compressed(steps, 0.5),
  },
  {
    name: 'gzip-unasked',
    row: FAULTS,
    title: 'The body is compressed event by event although the client asked for none of that',
    steps: (steps) => steps.map(compressedAlone),
  },
  {
    name: 'gzip-unnamed',
    row: FAULTS,
    title: 'The body is compressed, and a gateway has removed the header that says so',
    steps: (steps) => compressed(steps, 1, (head) => head),
  },
  {
    name: 'json-cut',
    row: FAULTS,
    title: 'One JSON body, of which only half comes',
    instead: () => {
      const steps = jsonReply(200, { id: 'chatcmpl-cut', object: 'chat.completion', choices: [] });
      return breakOffIn('answer', steps, { type: 'end' });
    },
  },
];

const KEEP_ALIVE_MS = 250;

/** Endless steps, until the client disconnects. */
function* keepAlive(steps: Steps): Generator<ReplyStep> {
  yield* steps;
  for (;;) {
    yield write(': PROCESSING\n\n');
    yield { type: 'wait', ms: KEEP_ALIVE_MS };
  }
}

/** Compresses each write separately; concatenated gzip members are valid gzip. */
function compressedAlone(step: ReplyStep): ReplyStep {
  if (step.type === 'write') return { ...step, bytes: gzipSync(step.bytes) };
  return step.type === 'head' ? asGzip(step) : step;
}

type Head = Extract<ReplyStep, { type: 'head' }>;

function asGzip(head: Head): ReplyStep {
  return { ...head, headers: { ...head.headers, 'content-encoding': 'gzip' } };
}

/** Compresses the complete body and sends a part of it. */
function compressed(
  steps: readonly ReplyStep[],
  part: number,
  toHead: (head: Head) => ReplyStep = asGzip,
): readonly ReplyStep[] {
  const body = Buffer.concat(
    steps.flatMap((step) =>
      step.type === 'write' ? [typeof step.bytes === 'string' ? Buffer.from(step.bytes) : step.bytes] : [],
    ),
  );
  const bytes = gzipSync(body);
  return steps.flatMap((step): readonly ReplyStep[] => {
    if (step.type === 'write') return [];
    if (step.type === 'head') {
      return [toHead(step), write(bytes.subarray(0, Math.ceil(bytes.length * part)))];
    }
    return [step];
  });
}
