import { type Conversation, shownTurn } from './conversation.ts';
import { exchangesBefore } from './requestMessages/transcript.ts';
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
