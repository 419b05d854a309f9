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

/**
 * Whether a notice about the cache says again what that of the turn before did: nothing was cached, nor before that in the conversation,
 * because the route caches nothing.
 *
 * @param earlier the turn before the one of the notice
 */
export function isLossSaid(notice: Notice, conversation: Conversation, earlier: Turn | undefined): boolean {
  const isLoss = (drop: CacheDrop | undefined) => drop?.changed === 'nothing' && drop.cachedTokens === 0;
  if (notice.code !== 'cache-dropped' || !isLoss(notice.drop) || earlier === undefined) return false;
  const { exchanges } = conversation;
  const at = exchanges.findIndex(({ attempts }) => attempts.includes(earlier));
  const exchange = exchanges[at];
  const turns = exchanges.slice(0, at + 1).flatMap((one) => shownTurn(one) ?? []);
  return (
    exchange !== undefined &&
    isLoss(findCacheDrop(turnBefore(conversation, exchange.id), earlier)) &&
    !turns.some((turn) => responsesOf(turn).some(({ usage }) => (usage?.cachedTokens ?? 0) > 0))
  );
}
