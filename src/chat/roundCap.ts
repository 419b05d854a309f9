/** The cap of the day inside a turn: the requests after its first one are not asked by anybody, and cost as well. */

import type { Prices } from '../service/limits.ts';
import { toCost } from './cost.ts';
import { usageInAll } from './rounds.ts';
import type { Turn } from './turn.ts';

/** All in USD. */
export interface Spending {
  readonly cap: number;
  readonly spent: number;
  /** Of the input of the next request, estimated. */
  readonly inputCost: number;
}

export interface RoundCapOptions {
  readonly dailyCap: number;
  readonly prices: Prices;
  /** USD since midnight, without this turn. */
  readonly spentBefore: number;
  /** The reader has agreed to go past the cap with this question. */
  readonly agreed: boolean;
  readonly ask: (spending: Spending) => Promise<boolean>;
}

/**
 * Whether a turn may ask the service once more. Who agrees gives room for as much again: a question for each request of
 * a loop would be no question any more.
 */
export function createRoundCap(options: RoundCapOptions): (turn: Turn) => Promise<boolean> {
  const { dailyCap, prices, spentBefore, agreed, ask } = options;
  let cap = agreed ? spentBefore + dailyCap : dailyCap;
  return async (turn) => {
    const spent = spentBefore + (toCost(usageInAll(turn), prices) ?? 0);
    const last = turn.rounds.at(-1)?.usage;
    // The next request is the last one, and what came of it.
    const tokens = (last?.promptTokens ?? 0) + (last?.completionTokens ?? 0);
    const inputCost = (tokens * prices.input) / 1_000_000;
    if (spent + inputCost <= cap) return true;
    if (!(await ask({ cap, spent, inputCost }))) return false;
    cap = spent + inputCost + dailyCap;
    return true;
  };
}
