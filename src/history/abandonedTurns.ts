/**
 * Handles turns of other windows. Turns whose window was killed are ended here, because nobody may open their conversation again,
 * and the service bills them nevertheless. Running turns count with the cost so far.
 */
import { allExchanges, allTurns } from '../conversation/allExchanges.ts';
import type { Turn } from '../conversation/turn.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import type { SavedConversations } from './savedConversations.ts';
import type { TurnEnds } from './turnEnds.ts';
import type { TurnLeases } from './turnLeases.ts';
import { toFinishedTurn, withFinishedTurns } from './unfinished.ts';

export interface AbandonedTurnsDeps {
  readonly history: Pick<History, 'unfinished' | 'unfinishedTurns' | 'loadAny'> | undefined;
  readonly attempt: Attempt;
  readonly leases: Pick<TurnLeases, 'isRunning' | 'holder'>;
  readonly saved: Pick<SavedConversations, 'isUnsaved'>;
  readonly ends: Pick<TurnEnds, 'put' | 'isDue' | 'settleSpend'>;
}

/**
 * Ends the turns whose window no longer runs, in all conversations, including deleted ones. So their cost counts before anybody
 * opens their conversation.
 */
export function endAbandonedTurns({ history, attempt, leases, saved, ends }: AbandonedTurnsDeps): void {
  const what = 'ending turns of closed windows';
  ends.settleSpend();
  for (const id of attempt(what, () => history?.unfinished()) ?? []) {
    if (leases.isRunning(id) || leases.holder(id) !== undefined) continue;
    // If the disk was full, the turns are already ended but not written yet.
    if (saved.isUnsaved(id) || ends.isDue(id)) continue;
    const stored = attempt(what, () => history?.loadAny(id));
    if (stored === undefined) continue;
    const running = new Set(allTurns(stored).flatMap((turn) => (turn.outcome === undefined ? turn.id : [])));
    for (const exchange of allExchanges(withFinishedTurns(stored, 'window')))
      for (const turn of exchange.attempts) if (running.has(turn.id)) ends.put(id, exchange.id, turn);
  }
}

/** The running turns of conversations in other windows, as if these windows were closed now. */
export function turnsElsewhere({
  history,
  attempt,
  leases,
}: Pick<AbandonedTurnsDeps, 'history' | 'attempt' | 'leases'>): readonly Turn[] {
  const what = 'looking for turns of other windows';
  return (attempt(what, () => history?.unfinished()) ?? []).flatMap((id) => {
    if (leases.isRunning(id) || leases.holder(id) === undefined) return [];
    const running = attempt(what, () => history?.unfinishedTurns(id)) ?? [];
    return running.map((turn) => toFinishedTurn(turn, 'window'));
  });
}
