import { latestUsage } from './cost.ts';
import { exchangesBefore } from './transcript.ts';
import { type Conversation, shownTurn, type Turn } from './turn.ts';

/** The answered turn before an exchange, against whose cache the next one is measured. */
export function turnBefore(conversation: Conversation, exchangeId: string): Turn | undefined {
  return exchangesBefore(conversation, exchangeId)
    .map(shownTurn)
    .findLast((turn) => latestUsage(turn) !== undefined);
}
