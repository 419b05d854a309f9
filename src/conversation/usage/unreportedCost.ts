/** What the requests of a turn probably cost whose usage the service didn't report. */
import type { ModelResponse } from '../response.ts';
import { responsesOf, toFullUsage } from '../rounds.ts';
import type { CostBasis, Turn } from '../turn.ts';
import { hasUsage, isRefused, toCost } from './cost.ts';
import { estimateTokens } from './tokens.ts';

/**
 * The estimated cost, in USD, of the requests of an ended turn whose cost isn't known: of their input, and of the text
 * that arrived. Undefined if there are none. A request that failed before any text is not billed.
 */
export function estimateUnreported(turn: Turn, { inputCosts, prices, ratio }: CostBasis): number | undefined {
  if (turn.request.demo === true) return undefined;
  const responses: readonly ModelResponse[] = responsesOf(turn);
  const costs = responses.flatMap((response, at) => {
    const { usage } = response;
    if (hasUsage(usage) && toCost(toFullUsage(usage), prices) !== undefined) return [];
    const output = textOf(response);
    const isLast = at === responses.length - 1;
    if (isLast && output === '' && !isBilled(turn)) return [];
    return [(inputCosts[at] ?? 0) + (estimateTokens(output) * ratio * prices.output) / 1_000_000];
  });
  const sum = costs.reduce((all, cost) => all + cost, 0);
  return sum > 0 ? sum : undefined;
}

/** An ended turn with its estimated cost, and without what that is calculated from. */
export function withEstimatedCost({ costBasis, ...turn }: Turn, basis = costBasis): Turn {
  const estimatedCost = basis && estimateUnreported(turn, basis);
  return estimatedCost === undefined ? turn : { ...turn, estimatedCost };
}

/** Whether the last request can be billed although nothing of its answer arrived. */
const isBilled = (turn: Turn): boolean =>
  turn.outcome !== 'failed' && !isRefused(turn) && turn.timings.connected !== undefined;

const textOf = ({ reasoning, answer, toolCalls }: ModelResponse): string =>
  reasoning + answer + toolCalls.map((call) => call.name + call.arguments).join('');
