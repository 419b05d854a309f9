/**
 * The estimated costs of the requests of one turn. Asks the user before the requests are sent, and keeps the estimates for
 * unreported costs.
 */

import type { Destination } from '../conversation/routePlace.ts';
import type { CostBasis, Turn } from '../conversation/turn.ts';
import { estimateRequest } from '../conversation/usage/estimate.ts';
import type { Prices } from '../service/prices.ts';
import type { ChatRequest } from '../service/types.ts';
import type { DailyCapPolicy, PlannedRequest, Spending } from './dailyCap.ts';

export interface PlannedCostsDeps extends Pick<PlannedRequest, 'asker' | 'turnId'> {
  readonly spending: Pick<DailyCapPolicy, 'check' | 'dropRefused'>;
  /** Returns the current cap, in USD; undefined for none. */
  dailyCap(): number | undefined;
  readonly prices: Prices;
  readonly route: Omit<Destination, 'kind'>;
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
  /** The data for an estimate of the turn's cost. The same object until the next request. Undefined in the demo. */
  basis(): CostBasis | undefined;
}

export function createPlannedCosts(deps: PlannedCostsDeps): PlannedCosts {
  const { spending, dailyCap, asker, turnId, prices, route, ratio, isFree } = deps;
  let basis: CostBasis | undefined;
  const put = (inputCosts: readonly number[]) => {
    basis = { inputCosts, prices, ratio: ratio() };
  };
  return {
    async check(request, earlier, signal) {
      if (isFree) return undefined;
      const { inputCost } = estimateRequest(request, earlier, prices, ratio(), route);
      put([...(basis?.inputCosts ?? []), inputCost]);
      // Also without a cap: the user can set one while the turn runs, and then earlier requests count.
      const cap = dailyCap() ?? Number.POSITIVE_INFINITY;
      return spending.check({ turnId, dailyCap: cap, inputCost, asker, signal });
    },
    dropRefused() {
      spending.dropRefused(turnId);
      put(basis?.inputCosts.slice(0, -1) ?? []);
    },
    basis: () => basis,
  };
}
