/** The estimated cost of requests whose usage the service didn't report. */
import { toFullUsage } from '../rounds.ts';
import type { CostBasis, Turn } from '../turn.ts';
import { billsOf, writtenText } from './cost.ts';
import { estimateTokens } from './tokens.ts';

/**
 * The estimated cost, in USD, that the requests of an ended turn are billed in addition to what was reported: for their input and
 * their output, which is at least the reported one, or for the text beyond the reported output. Undefined if everything was reported.
 */
export function estimateUnreported(turn: Turn, { inputCosts, prices, ratio }: CostBasis): number | undefined {
  const costs = billsOf(turn).flatMap(({ response, billing }, at) => {
    if (billing === 'free' || billing === 'reported') return [];
    const output = estimateTokens(writtenText(response)) * ratio;
    const { completionTokens = 0 } = response.usage ? toFullUsage(response.usage) : {};
    const isBeyond = billing === 'at-least';
    const tokens = isBeyond ? Math.max(0, output - completionTokens) : Math.max(output, completionTokens);
    return [(isBeyond ? 0 : (inputCosts[at] ?? 0)) + (tokens * prices.output) / 1_000_000];
  });
  return costs.length === 0 ? undefined : costs.reduce((all, cost) => all + cost, 0);
}

/** An ended turn with its estimated cost, and without the data that this is calculated from. */
export function withEstimatedCost({ costBasis, ...turn }: Turn, basis = costBasis): Turn {
  const estimatedCost = basis && estimateUnreported(turn, basis);
  return estimatedCost === undefined ? turn : { ...turn, estimatedCost };
}
