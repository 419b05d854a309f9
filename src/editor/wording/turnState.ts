/** The state of a turn, as far as this window knows it. */
import * as vscode from 'vscode';
import type { Phase, Turn } from '../../conversation/turn.ts';
import { outcomeLabel, turnPhaseLabel, waitingCalls } from './turnLabels.ts';

const t = vscode.l10n.t;

export interface TurnState {
  /** The outcome or, until the turn has one, its phase. */
  readonly label: string;
  readonly phase: Phase;
  /** The end of the pause before a retry, in epoch milliseconds; undefined when there is none. */
  readonly waitUntil: number | undefined;
  /** The number of tool calls that wait for an approval in this window. */
  readonly waitingCalls: number;
}

/**
 * The state of a turn.
 *
 * @param elsewhere whether another window runs it. Then this window only knows what the other one has recorded, so until
 *   the turn has ended, its phase, pauses, and approvals are not shown. It can't be stopped, approved, or asked again here,
 *   because its request and its tools are in the other window
 */
export function toTurnState(turn: Turn, elsewhere: boolean): TurnState {
  if (turn.outcome !== undefined)
    return { label: outcomeLabel(turn.outcome), phase: turn.phase, waitUntil: undefined, waitingCalls: 0 };
  if (elsewhere)
    return {
      label: t('Answering in another window'),
      phase: 'connecting',
      waitUntil: undefined,
      waitingCalls: 0,
    };
  return {
    label: turnPhaseLabel(turn),
    phase: turn.phase,
    waitUntil: turn.waiting?.until,
    waitingCalls: waitingCalls(turn),
  };
}
