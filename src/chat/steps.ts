/** Figures and text of the steps of a turn's reasoning. Nothing here is needed, or computed, for every delta. */
import { type Step, stepsOf, toStepTokens } from './outline.ts';
import type { Turn } from './turn.ts';

export interface StepFacts {
  readonly step: Step;
  readonly tokens: number;
  /** Milliseconds until the next step began, or until the last text of this one. */
  readonly ms: number;
}

/** The steps of a turn with their tokens, which add up to what the service reported, and their durations. */
export function toStepFacts(turn: Turn): readonly StepFacts[] {
  const steps = stepsOf(turn.outline);
  const tokens = toStepTokens(steps, turn.usage?.reasoningTokens);
  return steps.map((step, index) => ({
    step,
    tokens: tokens[index] ?? 0,
    ms: (steps[index + 1]?.startedAt ?? step.endedAt) - step.startedAt,
  }));
}

export interface ReasoningFacts {
  /** Undefined when there was no reasoning. */
  readonly tokens: number | undefined;
  /** The service has not reported them, or not yet. */
  readonly estimated: boolean;
  /** Milliseconds from the first reasoning to the first answer, to the end, or so far. */
  readonly ms: number | undefined;
}

/** How much a turn reasoned, and for how long. */
export function toReasoningFacts(turn: Turn): ReasoningFacts {
  const reported = turn.usage?.reasoningTokens;
  const estimate = stepsOf(turn.outline).reduce((sum, step) => sum + step.weight, 0);
  const { firstReasoning, firstAnswer, ended, lastProgress } = turn.timings;
  // Zero beside a text that is there is as good as unreported.
  const known = reported !== undefined && (reported > 0 || turn.reasoning === '');
  const tokens = known ? reported : Math.round(estimate);
  return {
    tokens: tokens === 0 ? undefined : tokens,
    estimated: !known,
    ms: firstReasoning === undefined ? undefined : (firstAnswer ?? ended ?? lastProgress) - firstReasoning,
  };
}

/** The text of one step, cut after `longest` characters. */
export function toStepText(turn: Turn, index: number, longest: number): string {
  const steps = stepsOf(turn.outline);
  const step = steps[index];
  if (step === undefined) return '';
  const start = offsetOfLine(turn.reasoning, 0, step.line);
  const next = steps[index + 1];
  const end =
    next === undefined ? turn.reasoning.length : offsetOfLine(turn.reasoning, start, next.line - step.line);
  const text = turn.reasoning.slice(start, end).trim();
  return text.length <= longest ? text : `${text.slice(0, longest - 1).trimEnd()}…`;
}

/** Where the line begins that lies `lines` lines after the one at `from`. */
function offsetOfLine(text: string, from: number, lines: number): number {
  let offset = from;
  for (let line = 0; line < lines; line++) {
    const end = text.indexOf('\n', offset);
    if (end === -1) return text.length;
    offset = end + 1;
  }
  return offset;
}
