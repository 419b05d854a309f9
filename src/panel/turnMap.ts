/**
 * The map of a turn: where its time and its tokens went, in two rows of parts, in order. The parts of the first row add up to the
 * duration of the turn, and those of the second row to its tokens.
 */

import { MIN_SILENCE_MS } from '../conversation/foldStream.ts';
import { type NumberedStep, toReasoned, toStepRounds } from '../conversation/reasoning/stepRounds.ts';
import type { ModelResponse } from '../conversation/response.ts';
import { hasOwnResponse, responsesOf, toFullUsage } from '../conversation/rounds.ts';
import type { Turn } from '../conversation/turn.ts';
import { hasUsage } from '../conversation/usage/cost.ts';
import { wholeShares } from '../conversation/usage/shares.ts';
import { estimateTokens } from '../conversation/usage/tokens.ts';
import { callParts } from './turnMapCalls.ts';
import type { MapPart, MapPlace, TurnMap } from './turnMapParts.ts';

/** The map of a turn that has ended. */
export function toTurnMap(turn: Turn): TurnMap {
  const rounds = toStepRounds(turn);
  const times = toTimes(turn, rounds);
  const tokens = toTokens(turn, rounds);
  const ms = new Map<string, number>();
  for (const part of times ?? []) add(ms, keyOf(part), part.ms ?? part.value);
  const found = new Map(tokens.map((part) => [keyOf(part), part]));
  const responses = responsesOf(turn);
  const reports = responses.filter(({ usage }) => hasUsage(usage)).length;
  return {
    times: times?.map((part) => {
      const same = found.get(keyOf(part));
      return { ...part, ms: part.ms ?? ms.get(keyOf(part)) ?? part.value, ...(same && pickTokens(same)) };
    }),
    tokens: tokens.map((part) => {
      const took = ms.get(keyOf(part));
      return { ...part, ...(took !== undefined && { ms: took }) };
    }),
    reported: reports === 0 ? 'none' : reports < responses.length ? 'some' : 'all',
  };
}

const pickTokens = ({ tokens, estimated }: MapPart) => ({
  ...(tokens !== undefined && { tokens }),
  ...(estimated && { estimated }),
});

/** The same key for all parts about the same thing. */
const keyOf = ({ kind, step, round, call }: MapPlace) => `${kind}/${step}/${round}/${call}`;

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

interface Boundary {
  readonly at: number;
  readonly place: MapPlace;
}

const toStepPlace = ({ index, step }: NumberedStep): MapPlace => ({
  kind: 'step',
  step: index,
  title: step.title,
});

function toTimes(turn: Turn, rounds: readonly (readonly NumberedStep[])[]): MapPart[] | undefined {
  const { ended } = turn.timings;
  if (ended === undefined || ended <= 0) return undefined;
  // An outline that was made from the stored text has no times.
  const known = rounds.flat().some(({ step }) => step.endedAt > 0);
  const parts: MapPart[] = [];
  let from = 0;
  for (const [round, response] of turn.rounds.entries()) {
    const { times, toolCalls } = response;
    const next = turn.rounds[round + 1]?.times ?? (hasOwnResponse(turn) ? turn.roundTimes : undefined);
    const over = clamp(times.endedAt, from, ended);
    const until = clamp(next?.startedAt ?? ended, over, ended);
    parts.push(...responseParts(boundariesOf(rounds, round, times, known, response), from, over, turn));
    parts.push(...callParts(toolCalls, round, over, until));
    from = until;
  }
  if (hasOwnResponse(turn)) {
    const first = turn.rounds.length === 0 ? { ...turn.timings, startedAt: 0 } : turn.roundTimes;
    const boundaries = boundariesOf(rounds, turn.rounds.length, first, known, turn);
    parts.push(...responseParts(boundaries, from, ended, turn));
  }
  return parts.filter(({ value }) => value > 0);
}

const clamp = (value: number, from: number, to: number) => Math.min(Math.max(value, from), to);

/** The times at which the parts of a response begin. */
function boundariesOf(
  rounds: readonly (readonly NumberedStep[])[],
  round: number,
  { firstReasoning, firstAnswer }: Pick<Turn['roundTimes'], 'firstReasoning' | 'firstAnswer'>,
  known: boolean,
  { answer, toolCalls }: Pick<ModelResponse, 'answer' | 'toolCalls'>,
): readonly Boundary[] {
  const begun = rounds[round] ?? [];
  // Without a step of its own, the reasoning continues the previous step.
  const before = rounds
    .slice(0, round)
    .findLast((steps) => steps.length > 0)
    ?.at(-1);
  const steps = begun.length > 0 ? begun : before === undefined ? [] : [before];
  const reasoned: readonly Boundary[] =
    firstReasoning === undefined
      ? []
      : known && steps.length > 0
        ? stepBoundaries(steps, firstReasoning)
        : [{ at: firstReasoning, place: { kind: 'reasoning', round } }];
  const isWriting = answer === '' && toolCalls.length > 0;
  const answered: Boundary[] =
    firstAnswer === undefined
      ? []
      : [{ at: firstAnswer, place: { kind: isWriting ? 'writing' : 'answer', round } }];
  const all = [...reasoned, ...answered].sort((one, other) => one.at - other.at);
  return [{ at: Number.NEGATIVE_INFINITY, place: { kind: 'waiting', round } }, ...all];
}

/** The times at which the steps begin, in order, although clocks can be set back. The first step begins with the first text. */
function stepBoundaries(steps: readonly NumberedStep[], first: number): readonly Boundary[] {
  let before = first;
  return steps.map((one, index) => {
    // The start of a line waits until it is known whether it begins a step.
    before = index === 0 ? first : Math.max(before, one.step.startedAt);
    return { at: before, place: toStepPlace(one) };
  });
}

/** The parts of a response from one time to another, cut at its silences. */
function responseParts(
  boundaries: readonly Boundary[],
  from: number,
  to: number,
  { silences = [], timings }: Turn,
): readonly MapPart[] {
  const begun = boundaries[1]?.at ?? to;
  const last = { from: timings.lastProgress, to: timings.ended ?? to };
  const isLast = to === last.to && last.from >= begun && last.to - last.from >= MIN_SILENCE_MS;
  const quiet = isLast ? [...silences, last] : silences;
  return boundaries.flatMap(({ at, place }, index) => {
    const start = clamp(at, from, to);
    const end = Math.max(start, clamp(boundaries[index + 1]?.at ?? to, from, to));
    return place.kind === 'waiting' ? [{ ...place, value: end - start }] : cut(place, start, end, quiet);
  });
}

/** A part, cut at the silences in it. */
function cut(place: MapPlace, from: number, to: number, silences: NonNullable<Turn['silences']>): MapPart[] {
  const parts: MapPart[] = [];
  let at = from;
  for (const silence of silences) {
    const start = clamp(silence.from, at, to);
    const end = clamp(silence.to, start, to);
    if (end === start) continue;
    parts.push({ ...place, value: start - at }, { kind: 'silence', value: end - start, ms: end - start });
    at = end;
  }
  return [...parts, { ...place, value: to - at }];
}

function toTokens(turn: Turn, rounds: readonly (readonly NumberedStep[])[]): readonly MapPart[] {
  const responses = responsesOf(turn);
  const usages = responses.flatMap(({ usage }) => (hasUsage(usage) ? [toFullUsage(usage)] : []));
  const input = usages.reduce((sum, { promptTokens = 0 }) => sum + promptTokens, 0);
  const cached = Math.min(
    input,
    usages.reduce((sum, { cachedTokens = 0 }) => sum + cachedTokens, 0),
  );
  const parts: readonly MapPart[] = [
    { kind: 'cached', value: cached },
    { kind: cached > 0 ? 'uncached' : 'input', value: input - cached },
    ...responses.flatMap((response, round) => outputParts(response, rounds[round] ?? [], round)),
  ];
  return parts.filter(({ value }) => value > 0).map((part) => ({ ...part, tokens: part.value }));
}

/** The output tokens of a response, divided by the length of its texts. */
function outputParts(
  response: ModelResponse,
  steps: readonly NumberedStep[],
  round: number,
): readonly MapPart[] {
  const { answer, toolCalls, usage } = response;
  const thought = steps.map(({ step }) => step.weight);
  const said = [answer, ...toolCalls.map((call) => call.name + call.arguments)].map(estimateTokens);
  const saidWeight = said.reduce((sum, one) => sum + one, 0);
  const billed = hasUsage(usage) ? toFullUsage(usage).completionTokens : undefined;
  const { tokens: reasoned, isReported } = toReasoned(response, steps);
  const rest = billed === undefined ? Math.round(saidWeight) : Math.max(0, billed - reasoned);
  const places = [
    { kind: 'answer', round } as const,
    ...toolCalls.map((_, call) => ({ kind: 'call', round, call }) as const),
  ];
  const isExact = billed !== undefined && isReported;
  return [
    ...share(reasoned, thought, steps.map(toStepPlace), { kind: 'reasoning', round }, isReported),
    ...share(rest, said, places, { kind: 'answer', round }, isExact),
  ];
}

/**
 * Divides a sum of tokens by weights into whole tokens that add up to it.
 *
 * @param otherwise the place that gets the sum if there are no weights
 */
function share(
  sum: number,
  weights: readonly number[],
  places: readonly MapPlace[],
  otherwise: MapPlace,
  isExact: boolean,
): readonly MapPart[] {
  const all = weights.reduce((total, one) => total + one, 0);
  const isShared = weights.filter((one) => one > 0).length > 1;
  const mark = isExact && !isShared ? {} : { estimated: true as const };
  if (all === 0) return [{ ...otherwise, value: sum, ...(!isExact && { estimated: true as const }) }];
  const shares = wholeShares(sum, weights);
  return places.map((place, index) => ({ ...place, value: shares[index] ?? 0, ...mark }));
}
