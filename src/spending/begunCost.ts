/** Keeps the cost of a turn that isn't stored yet, in case its window is killed while the turn runs. */
import { foldTurn } from '../conversation/fold.ts';
import type { Turn } from '../conversation/turn.ts';
import { withEstimatedCost } from '../conversation/usage/unreportedCost.ts';

/** The interval, in milliseconds. Killing the window loses at most the text of this time. */
const KEEP_MS = 1000;

/**
 * Returns a function to call with each step of a turn.
 *
 * @param keep called with the turn as if it had ended, when its request has been sent, at the end of each round, and otherwise at
 * most once a second
 */
export function createBegunCost(
  keep: (assumed: Turn) => void,
  now: () => number = () => performance.now(),
): (turn: Turn) => void {
  let kept: number | undefined;
  let rounds = 0;
  return (turn) => {
    const isSent = turn.timings.connected !== undefined || turn.rounds.length > 0;
    if (turn.outcome !== undefined || turn.costBasis === undefined || !isSent) return;
    const isDue = kept === undefined || turn.rounds.length !== rounds || now() - kept >= KEEP_MS;
    if (!isDue) return;
    kept = now();
    rounds = turn.rounds.length;
    const end = { type: 'ended', by: 'window', failure: undefined } as const;
    keep(withEstimatedCost(foldTurn(turn, { at: turn.timings.lastLife, event: end })));
  };
}
