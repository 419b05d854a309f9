/** The estimated costs of the requests of one turn: asks about them before they are sent, and keeps those nobody reports. */

import type { Turn } from '../conversation/turn.ts';
import { estimateRequest } from '../conversation/usage/estimate.ts';
import { estimateUnreported } from '../conversation/usage/unreportedCost.ts';
import type { Prices } from '../service/limits.ts';
import type { ChatRequest } from '../service/types.ts';
import type { DailyCapPolicy, PlannedRequest, Spending } from './dailyCap.ts';

export interface PlannedCostsDeps extends Pick<PlannedRequest, 'asker' | 'turnId'> {
  readonly spending: Pick<DailyCapPolicy, 'check' | 'dropRefused'>;
  /** USD; undefined for no cap. */
  readonly dailyCap: number | undefined;
  readonly prices: Prices;
  /** Tokens of the route for each estimated token of text. */
  ratio(): number;
  /** The demo answers. */
  readonly isFree: boolean;
}

export interface PlannedCosts {
  /**
   * Asks the user when the next request would exceed the daily cap. Rejects with the signal's reason when it aborts.
   *
   * @returns undefined when the request may be sent; otherwise the reason
   */
  check(request: ChatRequest, earlier: Turn | undefined, signal: AbortSignal): Promise<Spending | undefined>;
  /** The service refused the last request, and doesn't bill it. */
  dropRefused(): void;
  /** USD, estimated, of the requests of the ended turn whose usage was not reported. Undefined if there are none. */
  unreported(turn: Turn): number | undefined;
}

export function createPlannedCosts(deps: PlannedCostsDeps): PlannedCosts {
  const { spending, dailyCap, asker, turnId, prices, ratio, isFree } = deps;
  const inputCosts: number[] = [];
  return {
    async check(request, earlier, signal) {
      if (isFree) return undefined;
      const { inputCost } = estimateRequest(request, earlier, prices, ratio());
      inputCosts.push(inputCost);
      return dailyCap === undefined
        ? undefined
        : spending.check({ turnId, dailyCap, inputCost, asker, signal });
    },
    dropRefused() {
      spending.dropRefused(turnId);
      inputCosts.pop();
    },
    unreported: (turn) => estimateUnreported(turn, inputCosts, prices, ratio()),
  };
}
