/** Figures and texts of the steps of a turn's reasoning. They aren't calculated for every delta. */

import { shorten } from '../cutText.ts';
import { allReasoning, responsesOf } from '../rounds.ts';
import type { Round, Turn } from '../turn.ts';
import { type ReasoningStep, stepsOf, toStepTokens } from './outline.ts';
import { toReasoned, toStepRounds } from './stepRounds.ts';

/** A shorter time would be shown as 0 seconds. In milliseconds. */
export const MIN_MS = 50;

export interface StepFacts {
  readonly step: ReasoningStep;
  readonly tokens: number;
  /**
   * Milliseconds until the next step of its round started, or until the last text of this one. The last step before tool
   * calls lasts until the first answer text or the end of its round. Undefined below `MIN_MS`.
   */
  readonly ms: number | undefined;
}

/** The steps of a turn with their durations and tokens. The sum of the tokens in each response is the reported number. */
export function toStepFacts(turn: Turn): readonly StepFacts[] {
  const steps = stepsOf(turn.outline);
  const rounds = toStepRounds(turn);
  const tokens = responsesOf(turn).flatMap((response, round) => {
    const begun = rounds[round] ?? [];
    return toStepTokens(
      begun.map(({ step }) => step),
      toReasoned(response, begun).tokens,
    );
  });
  return steps.map((step, index) => {
    const next = steps[index + 1]?.startedAt ?? step.endedAt;
    const ms = Math.min(next, endOfRound(turn, step)) - step.startedAt;
    return { step, tokens: tokens[index] ?? 0, ms: ms < MIN_MS ? undefined : ms };
  });
}

/** When the round of a step stopped reasoning. Infinite in the latest response, because no tools follow its steps. */
function endOfRound({ rounds }: Turn, { startedAt, endedAt }: ReasoningStep): number {
  const times = rounds.find((round) => round.times.endedAt >= startedAt)?.times;
  if (times === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(endedAt, times.firstAnswer ?? times.endedAt);
}

export interface ReasoningFacts {
  /** Undefined if there was no reasoning. */
  readonly tokens: number | undefined;
  /** The service hasn't reported the tokens of all responses, or not yet. */
  readonly estimated: boolean;
  /**
   * Milliseconds from the first reasoning to the first answer text, to the end, or until now. Reasoning that arrived all
   * at once took the time that the user waited for it. Undefined when it is over and took less than `MIN_MS`.
   */
  readonly ms: number | undefined;
}

/** How much a turn reasoned, and for how long, in all of its rounds. */
export function toReasoningFacts(turn: Turn): ReasoningFacts {
  const rounds = toStepRounds(turn);
  const parts = responsesOf(turn).map((response, round) => toReasoned(response, rounds[round] ?? []));
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  const known =
    parts.some(({ isReported }) => isReported) && parts.every((part) => part.isReported || part.tokens === 0);
  return { tokens: tokens === 0 ? undefined : tokens, estimated: !known, ms: toReasoningMs(turn) };
}

function toReasoningMs({ rounds, roundTimes, timings }: Turn): number | undefined {
  const { ended, lastProgress } = timings;
  const times = rounds.length === 0 ? { ...timings, startedAt: 0 } : roundTimes;
  const latest = toMs(times, ended ?? lastProgress, ended !== undefined);
  const all = [...rounds.map(({ times }: Round) => toMs(times, times.endedAt, true)), latest];
  const known = all.filter((ms) => ms !== undefined);
  const sum = known.reduce((total, ms) => total + ms, 0);
  const isOver = ended !== undefined || timings.firstAnswer !== undefined;
  return known.length === 0 || (isOver && sum < MIN_MS) ? undefined : sum;
}

function toMs(
  { startedAt, firstReasoning, firstAnswer }: Round['times'] | Turn['roundTimes'],
  end: number,
  hasEnded: boolean,
): number | undefined {
  if (firstReasoning === undefined) return undefined;
  const over = firstAnswer ?? end;
  const isOver = hasEnded || firstAnswer !== undefined;
  return isOver && over - firstReasoning < MIN_MS ? over - startedAt : over - firstReasoning;
}

/** The text of one step, cut off after `longest` UTF-16 code units. */
export function toStepText(turn: Turn, index: number, longest: number): string {
  const steps = stepsOf(turn.outline);
  const step = steps[index];
  if (step === undefined) return '';
  const reasoning = allReasoning(turn);
  const start = offsetOfLine(reasoning, 0, step.line);
  const next = steps[index + 1];
  const end = next === undefined ? reasoning.length : offsetOfLine(reasoning, start, next.line - step.line);
  const text = reasoning.slice(start, end).trim();
  return shorten(text, longest);
}

/** The full texts of all steps. Takes time in proportion to the length of the reasoning. */
export function allStepTexts(turn: Turn): readonly string[] {
  const reasoning = allReasoning(turn);
  const steps = stepsOf(turn.outline);
  const starts: number[] = [];
  for (const [index, { line }] of steps.entries()) {
    const lines = line - (steps[index - 1]?.line ?? 0);
    starts.push(offsetOfLine(reasoning, starts.at(-1) ?? 0, lines));
  }
  return starts.map((start, index) => reasoning.slice(start, starts[index + 1]).trim());
}

/** The offset of the line that is `lines` lines after the one at `from`. */
function offsetOfLine(text: string, from: number, lines: number): number {
  let offset = from;
  for (let line = 0; line < lines; line++) {
    const end = text.indexOf('\n', offset);
    if (end === -1) return text.length;
    offset = end + 1;
  }
  return offset;
}
