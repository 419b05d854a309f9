/** The steps of each response of a turn, and the number of its reasoning tokens, for the Reasoning view and for the map of the turn. */
import type { ModelResponse } from '../response.ts';
import { responsesOf, toFullUsage } from '../rounds.ts';
import type { Turn } from '../turn.ts';
import { hasUsage } from '../usage/cost.ts';
import { estimateTokens } from '../usage/tokens.ts';
import { type ReasoningStep, stepsOf } from './outline.ts';

export interface NumberedStep {
  readonly index: number;
  readonly step: ReasoningStep;
}

/** The steps that begin in each response of a turn, by the lines of its reasoning. */
export function toStepRounds(turn: Turn): readonly (readonly NumberedStep[])[] {
  const steps = stepsOf(turn.outline).map((step, index) => ({ step, index }));
  const responses = responsesOf(turn);
  const starts = [0];
  for (const { reasoning } of responses.slice(0, -1)) {
    // The texts are separated by an empty line.
    const lines = reasoning === '' ? 0 : reasoning.split('\n').length + 1;
    starts.push((starts.at(-1) ?? 0) + lines);
  }
  return starts.map((from, round) => {
    const to = starts[round + 1] ?? Number.POSITIVE_INFINITY;
    return from === to ? [] : steps.filter(({ step }) => step.line >= from && step.line < to);
  });
}

export interface Reasoned {
  readonly tokens: number;
  /** If false, the tokens are estimated from the length of the texts. */
  readonly isReported: boolean;
}

/** @param steps the steps that begin in the response */
export function toReasoned(response: ModelResponse, steps: readonly NumberedStep[]): Reasoned {
  const { reasoning, answer, toolCalls, usage } = response;
  const { completionTokens: billed, reasoningTokens } = hasUsage(usage) ? toFullUsage(usage) : {};
  // Zero tokens count as not reported if there is reasoning.
  if (reasoningTokens !== undefined && (reasoningTokens > 0 || reasoning === ''))
    return { tokens: reasoningTokens, isReported: true };
  const weight = steps.reduce((sum, { step }) => sum + step.weight, 0) || estimateTokens(reasoning);
  if (billed === undefined || weight === 0) return { tokens: Math.round(weight), isReported: false };
  const said = [answer, ...toolCalls.map((call) => call.name + call.arguments)].map(estimateTokens);
  const all = said.reduce((sum, one) => sum + one, weight);
  return { tokens: Math.round((billed * weight) / all), isReported: false };
}
