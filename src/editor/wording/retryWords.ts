/** Why a request is sent again by itself, and when, for places that show no countdown (E6). */
import * as vscode from 'vscode';
import type { Turn } from '../../conversation/turn.ts';
import { formatSeconds } from '../base/formats.ts';
import { describeFailure } from './failureWords.ts';
import { turnPhaseLabel } from './turnLabels.ts';

const t = vscode.l10n.t;

/**
 * Returns a line for a turn when another one is due: about each pause before a retry, and the phase after it. Undefined
 * while nothing is new, and for a turn without retries.
 */
export function createRetryLines(): (turn: Turn) => string | undefined {
  let last: string | undefined;
  return (turn) => {
    const { waiting } = turn;
    if (waiting === undefined && last === undefined) return undefined;
    const line =
      waiting === undefined
        ? turnPhaseLabel(turn)
        : t(
            '{0}, retrying in {1}',
            describeFailure(waiting.failure, turn.request).title,
            formatSeconds(waiting.waitMs),
          );
    if (line === last) return undefined;
    last = line;
    return line;
  };
}
