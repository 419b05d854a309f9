/** Finds and ends turns without an outcome: running ones of this or another window, and those whose window no longer runs. */
import { allExchanges } from '../conversation/allExchanges.ts';
import { type Conversation, type Exchange, withTurn } from '../conversation/conversation.ts';
import type { TurnEnd } from '../conversation/events.ts';
import { foldTurn } from '../conversation/fold.ts';
import type { Turn } from '../conversation/turn.ts';
import { withEstimatedCost } from '../conversation/usage/unreportedCost.ts';

/** The IDs of exchanges with a turn that has no outcome. */
export function unfinishedIds(conversation: Conversation): readonly string[] {
  return allExchanges(conversation)
    .filter(({ attempts }) => attempts.some(({ outcome }) => outcome === undefined))
    .map(({ id }) => id);
}

/**
 * Ends a turn whose process no longer runs, at the time of its last sign of life and usually as interrupted. Its cost so far is
 * estimated, because the service bills it.
 */
export const toFinishedTurn = (turn: Turn, by: TurnEnd['by']): Turn =>
  turn.outcome !== undefined
    ? turn
    : withEstimatedCost(
        foldTurn(turn, { at: turn.timings.lastLife, event: { type: 'ended', by, failure: undefined } }),
      );

/** Ends the unfinished turns of a conversation whose process no longer runs. */
export const withFinishedTurns = (conversation: Conversation, by: TurnEnd['by']): Conversation =>
  withTurns(conversation, (turn) => toFinishedTurn(turn, by));

/** Ends all turns of an imported conversation that had no end when it was exported. They aren't marked as ended by a closed window. */
export const withExportedTurns = (conversation: Conversation): Conversation =>
  withTurns(conversation, (turn) => {
    if (turn.outcome !== undefined) return turn;
    const { windowClosed, ...ended } = toFinishedTurn(turn, 'window');
    return ended;
  });

function withTurns(conversation: Conversation, end: (turn: Turn) => Turn): Conversation {
  const finish = (exchange: Exchange): Exchange => ({ ...exchange, attempts: exchange.attempts.map(end) });
  return {
    ...conversation,
    exchanges: conversation.exchanges.map(finish),
    branches: conversation.branches.map((branch) => ({ ...branch, exchanges: branch.exchanges.map(finish) })),
  };
}

/** A conversation with the turns that are still running in another version of it. */
export function withRunningTurns(conversation: Conversation, other: Conversation): Conversation {
  return allExchanges(other)
    .flatMap(({ id, attempts }) =>
      attempts.filter(({ outcome }) => outcome === undefined).map((turn) => ({ id, turn })),
    )
    .reduce((all, { id, turn }) => withTurn(all, id, turn), conversation);
}
