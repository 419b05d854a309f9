/** Remembers for each route how its tokens compare with our estimate, across reloads and for all windows. */

import { toRequestSize } from '../conversation/requestMessages/requestParts.ts';
import { responsesOf } from '../conversation/rounds.ts';
import type { Turn } from '../conversation/turn.ts';
import { showsLength } from '../conversation/usage/cost.ts';
import { parseMeasures, toMeasure, toTokenRatio, withMeasure } from '../conversation/usage/tokenRatio.ts';
import type { ChatRequest, Route } from '../service/types.ts';

/** Values that survive a reload. Other windows write them, too, and the last write wins. */
export interface RatioMemory {
  get(name: string): unknown;
  set(name: string, value: unknown): unknown;
}

export interface TokenRatios {
  /** Tokens of the route for each estimated token of text; 1 before anything is known. */
  of(route: TokenizedRoute): number;
  /**
   * Learns from the last response of an ended turn that reported its usage.
   *
   * @param sent the request of each response, in the same order
   */
  learn(route: TokenizedRoute, sent: readonly ChatRequest[], turn: Turn): void;
}

export type TokenizedRoute = Pick<Route, 'origin' | 'model'>;

const NAME = 'k3.tokenRatios';
/** The maximum number of routes. The ones that were used last are kept. */
const MOST_ROUTES = 20;

export function createTokenRatios(memory: RatioMemory): TokenRatios {
  const keyOf = ({ origin, model }: TokenizedRoute) => `${origin} ${model}`;
  const read = (): readonly (readonly [string, unknown])[] => {
    const stored = memory.get(NAME);
    return typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
  };
  const measuresOf = (key: string) => parseMeasures(read().find(([name]) => name === key)?.[1]);
  return {
    of: (route) => toTokenRatio(measuresOf(keyOf(route))),
    learn(route, sent, turn) {
      const responses = responsesOf(turn);
      const at = responses.findLastIndex(({ usage }) => showsLength(usage));
      const { [at]: response } = responses;
      const { [at]: request } = sent;
      // Another model may count in another way.
      if (response === undefined || request === undefined) return;
      if (response.responseModel !== undefined && response.responseModel !== route.model) return;
      const measure = toMeasure(toRequestSize(request), response.usage);
      if (measure === undefined) return;
      const key = keyOf(route);
      const others = read().filter(([name]) => name !== key);
      const own = [key, withMeasure(measuresOf(key), measure)] as const;
      memory.set(NAME, Object.fromEntries([...others, own].slice(-MOST_ROUTES)));
    },
  };
}
