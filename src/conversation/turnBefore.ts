import { type Conversation, shownTurn } from './conversation.ts';
import type { Notice } from './outcomes/notices.ts';
import { type CacheDrop, findCacheDrop } from './requestMessages/prefix.ts';
import { exchangesBefore } from './requestMessages/transcript.ts';
import { responsesOf } from './rounds.ts';
import type { Turn } from './turn.ts';
import { latestUsage } from './usage/cost.ts';

/**
 * The last turn before an exchange that reported usage. The cached tokens of the next turn are compared with
 * it.
 */
export function turnBefore(conversation: Conversation, exchangeId: string): Turn | undefined {
  return exchangesBefore(conversation, exchangeId)
    .map(shownTurn)
    .findLast((turn) => latestUsage(turn) !== undefined);
}

/** The last turn that reported usage, among the turns up to a place in a conversation. */
export interface LatestTurn {
  readonly turn: Turn | undefined;
  /** Whether nothing was cached for it, although its request begins like that of the turn before. */
  readonly isLost: boolean;
  /** Whether anything was cached for it or for an earlier turn. */
  readonly wasCached: boolean;
}

export const NO_TURN: LatestTurn = { turn: undefined, isLost: false, wasCached: false };

/** The latest turn after one more turn, which may not have reported usage. */
export function latestWith(latest: LatestTurn, turn: Turn): LatestTurn {
  if (latestUsage(turn) === undefined) return latest;
  const isCached = responsesOf(turn).some(({ usage }) => (usage?.cachedTokens ?? 0) > 0);
  return {
    turn,
    isLost: isLoss(findCacheDrop(latest.turn, turn)),
    wasCached: latest.wasCached || isCached,
  };
}

const isLoss = (drop: CacheDrop | undefined) => drop?.changed === 'nothing' && drop.cachedTokens === 0;

/**
 * Whether a notice about the cache only repeats that of the previous turn: nothing was cached, and nothing was before in the
 * conversation, because the route caches nothing.
 *
 * @param latest the turn before the turn of the notice
 */
export const isLossSaid = (notice: Notice, { isLost, wasCached }: LatestTurn): boolean =>
  notice.code === 'cache-dropped' && isLoss(notice.drop) && isLost && !wasCached;

/** The latest turn before an exchange. To get it for each turn of a conversation, use `latestWith` in one pass. */
export const latestBefore = (conversation: Conversation, exchangeId: string): LatestTurn =>
  exchangesBefore(conversation, exchangeId)
    .map(shownTurn)
    .filter((turn) => turn !== undefined)
    .reduce(latestWith, NO_TURN);
