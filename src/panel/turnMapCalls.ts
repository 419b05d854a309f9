/** The tool calls of a round on the map of a turn. */
import type { Call } from '../conversation/turn.ts';
import type { MapPart } from './turnMapParts.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** How a call spent its time: first it may wait for the user, then it runs. */
interface CallTimes {
  readonly waiting: Span;
  readonly running: Span;
}

/** A shorter time before or after the calls counts as part of a call. In milliseconds. */
const MIN_BETWEEN_MS = 50;

/**
 * The parts of a time in which calls ran. Calls that ran at the same time share it. While a call runs, other calls that wait for
 * approval get no share. The values add up to the whole time.
 *
 * @param from when the calls began, in milliseconds since the question was sent
 * @param to when the next request was sent, or the turn ended
 */
export function callParts(
  calls: readonly Call[],
  round: number,
  from: number,
  to: number,
): readonly MapPart[] {
  const times = calls.map((call) => toCallTimes(call, from, to));
  const sums = times.map(() => ({ waiting: 0, running: 0 }));
  const edges = times.flatMap(({ waiting, running }) => [waiting.from, waiting.to, running.from, running.to]);
  let between = 0;
  let last = from;
  for (const edge of [...edges, to].sort((one, other) => one - other)) {
    const span = { from: last, to: edge };
    const ms = edge - last;
    last = edge;
    if (ms <= 0) continue;
    const state = (['running', 'waiting'] as const).find((one) =>
      times.some((call) => covers(call[one], span)),
    );
    const active = state === undefined ? [] : sums.filter((_, index) => covers(times[index]?.[state], span));
    if (state === undefined) between += ms;
    else for (const sum of active) sum[state] += ms / active.length;
  }
  const lastSum = sums.findLast(({ running }) => running > 0);
  if (between < MIN_BETWEEN_MS && lastSum !== undefined) {
    lastSum.running += between;
    between = 0;
  }
  const parts = sums.flatMap((sum, call): readonly MapPart[] => [
    { kind: 'approval', round, call, value: sum.waiting, ms: lengthOf(times[call]?.waiting) },
    { kind: 'call', round, call, value: sum.running, ms: lengthOf(times[call]?.running) },
  ]);
  return [...parts, { kind: 'between', round, value: between, ms: between }];
}

const lengthOf = (span: Span | undefined) => (span === undefined ? 0 : span.to - span.from);
const covers = (span: Span | undefined, { from, to }: Span) =>
  span !== undefined && span.from <= from && span.to >= to;

function toCallTimes({ state, startedAt, endedAt, waitedMs }: Call, from: number, to: number): CallTimes {
  const clamp = (at: number, least: number) => Math.min(Math.max(at, least), to);
  // A call that still waited when the turn ended has no times.
  const isCut = state === 'not-run' && endedAt === undefined;
  const end = isCut ? to : clamp(endedAt ?? startedAt ?? from, from);
  // Earlier versions recorded only when a call began to run. It takes a moment to begin.
  const gap = (startedAt === undefined ? end : startedAt) - from;
  const waited = waitedMs ?? (gap < MIN_BETWEEN_MS ? 0 : gap);
  const began = Math.min(end, clamp(from + waited, from));
  return { waiting: { from, to: began }, running: { from: began, to: end } };
}
