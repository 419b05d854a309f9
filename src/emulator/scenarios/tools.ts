/** Tool calls as observed in streams (docs/service.md, Reasoning must survive tool loops). */
import type { Frame } from '../frames.ts';
import { type JsonObject, toList, toObject } from '../json.ts';
import type { Reply } from '../reply.ts';
import { firstHalf, recount } from './outcomes.ts';
import type { Scenario } from './scenario.ts';
import { mapDeltas } from './scenarioParts.ts';
import { callsInRounds, twoCalls } from './scenarioTools.ts';

const LOOPS = 'service.md: Reasoning must survive tool loops';

export const TOOL_SCENARIOS: readonly Scenario[] = [
  {
    name: 'tools',
    row: 'R5',
    title: 'Two tools are called; once their results are there, the answer comes',
    draft: twoCalls,
  },
  {
    name: 'tools-interleaved',
    row: LOOPS,
    title: 'The deltas of two calls alternate',
    draft: twoCalls,
    frames: (frames) => changeToolFrames(frames, interleave),
  },
  {
    name: 'tools-no-index',
    row: LOOPS,
    title: 'Tool deltas without an index',
    draft: twoCalls,
    frames: (frames) => changeCalls(frames, ({ index: _index, ...call }) => call),
  },
  {
    name: 'tools-same-index',
    row: LOOPS,
    title: 'The second call comes with a new id on the index of the first',
    draft: twoCalls,
    frames: (frames) => changeCalls(frames, (call) => ({ ...call, index: 0 })),
  },
  {
    name: 'tools-empty-names',
    row: LOOPS,
    title: 'Later deltas repeat id and name as empty strings, which must not overwrite',
    draft: twoCalls,
    frames: (frames) =>
      changeCalls(frames, (call) =>
        'id' in call
          ? call
          : { ...call, id: '', type: 'function', function: { name: '', ...toObject(call['function']) } },
      ),
  },
  {
    name: 'tools-split-names',
    row: LOOPS,
    title: 'The names of the tools come in two pieces, in deltas of their own',
    draft: twoCalls,
    frames: (frames) => changeToolFrames(frames, (tools) => tools.flatMap(splitName)),
  },
  {
    name: 'tools-one-chunk',
    row: LOOPS,
    title: 'All entries of all calls, several for one index, in a single chunk',
    draft: twoCalls,
    frames: (frames) => changeToolFrames(frames, joinCalls),
  },
  {
    name: 'tools-odd-ids',
    row: LOOPS,
    title: 'Ids that are no call_…: `functions.NAME:0`, `ping_1`',
    draft: (draft, exchange) => {
      const { calls, ...rest } = twoCalls(draft, exchange);
      return {
        ...rest,
        calls: calls.map((call, i) => ({ ...call, id: i === 0 ? `functions.${call.name}:0` : 'ping_1' })),
      };
    },
  },
  {
    name: 'tools-broken-json',
    row: LOOPS,
    title: 'The arguments are no JSON, although the stream ends well',
    draft: twoCalls,
    reply: (reply) => mapArguments(reply, (text) => `${text.slice(0, -1)},,`),
  },
  {
    name: 'tools-truncated',
    row: LOOPS,
    title: 'The budget ends in the arguments: finish_reason length',
    draft: twoCalls,
    reply: (reply) =>
      reply.calls.length === 0
        ? reply
        : recount({
            ...mapArguments(reply, firstHalf),
            calls: mapArguments(reply, firstHalf).calls.slice(0, 1),
            finishReason: 'length',
          }),
  },
  {
    name: 'tools-truncated-valid',
    row: LOOPS,
    title: 'The stream breaks off without a finish reason where the arguments happen to be valid JSON',
    draft: twoCalls,
    reply: (reply) => mapArguments(reply, () => '{}'),
    steps: (steps) => [
      ...steps.filter(
        (step) =>
          step.type !== 'end' && !(step.type === 'write' && ['finish', 'usage', 'done'].includes(step.phase)),
      ),
      { type: 'end' },
    ],
  },
  {
    name: 'tools-unknown',
    row: 'Q12',
    title: 'A tool is called that was never offered',
    draft: (draft, exchange) => {
      const { calls, ...rest } = twoCalls(draft, exchange);
      return { ...rest, calls: calls.slice(0, 1).map((call) => ({ ...call, name: 'launch_rocket' })) };
    },
  },
  {
    name: 'tools-rounds',
    row: LOOPS,
    title: 'The tool that the question names is called in eight rounds, twice in each; then the answer comes',
    draft: callsInRounds,
  },
  {
    name: 'tools-stop',
    row: 'R5',
    title: 'Tool calls with finish_reason stop',
    draft: twoCalls,
    reply: (reply) => ({ ...reply, finishReason: 'stop' }),
  },
];

function mapArguments(reply: Reply, change: (text: string) => string): Reply {
  return { ...reply, calls: reply.calls.map((call) => ({ ...call, arguments: change(call.arguments) })) };
}

function callsOf(frame: Frame): readonly JsonObject[] {
  const delta = toObject(toObject(toList(frame.chunk['choices'])?.[0])?.['delta']);
  return (toList(delta?.['tool_calls']) ?? []).map((call) => toObject(call) ?? {});
}

function changeCalls(frames: readonly Frame[], change: (call: JsonObject) => JsonObject): readonly Frame[] {
  return frames.map((frame) =>
    frame.phase === 'tools' ? mapDeltas(frame, () => ({ tool_calls: callsOf(frame).map(change) })) : frame,
  );
}

/** Replaces the tool frames, which are consecutive. */
function changeToolFrames(
  frames: readonly Frame[],
  change: (tools: readonly Frame[]) => readonly Frame[],
): readonly Frame[] {
  const at = frames.findIndex(({ phase }) => phase === 'tools');
  if (at === -1) return frames;
  const tools = frames.filter(({ phase }) => phase === 'tools');
  return [...frames.slice(0, at), ...change(tools), ...frames.slice(at + tools.length)];
}

function interleave(tools: readonly Frame[]): readonly Frame[] {
  const first = tools.filter((frame) => callsOf(frame)[0]?.['index'] === 0);
  const second = tools.filter((frame) => callsOf(frame)[0]?.['index'] !== 0);
  const length = Math.max(first.length, second.length);
  return Array.from({ length }, (_, at) => [first[at], second[at]])
    .flat()
    .filter((frame) => frame !== undefined);
}

function joinCalls(tools: readonly Frame[]): readonly Frame[] {
  const [first] = tools;
  return first === undefined ? [] : [mapDeltas(first, () => ({ tool_calls: tools.flatMap(callsOf) }))];
}

function splitName(frame: Frame): readonly Frame[] {
  const [call = {}] = callsOf(frame);
  const { name, ...rest } = toObject(call['function']) ?? {};
  if (typeof name !== 'string') return [frame];
  const half = Math.ceil(name.length / 2);
  const { index } = call;
  const pieces: readonly JsonObject[] = [
    { ...call, function: { name: name.slice(0, half), arguments: '' } },
    { index, function: { name: name.slice(half), ...rest } },
  ];
  return pieces.map((piece) => mapDeltas(frame, () => ({ tool_calls: [piece] })));
}
