/** What a turn is doing, as this window knows it. */
import * as vscode from 'vscode';
import type { Phase, Turn } from '../../conversation/turn.ts';
import { outcomeLabel, turnPhaseLabel, waitingCalls } from './turnLabels.ts';

const t = vscode.l10n.t;

export interface TurnState {
  /** The outcome or, until the turn has one, what it is doing. */
  readonly label: string;
  readonly phase: Phase;
  /** The end of the pause before a retry, in epoch milliseconds; undefined when there is none. */
  readonly waitUntil: number | undefined;
  /** How many tool calls wait for an approval in this window. */
  readonly waitingCalls: number;
}

/**
 * Reads a turn as the window that runs it or, with `elsewhere`, as another one. What another window does and receives is
 * known here only as it was last recorded, so until the turn has ended, its phase, its pauses, and its approvals are not
 * shown. It can't be stopped, approved, or asked again here: its request and its tools are in the other window.
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
