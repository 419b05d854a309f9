/** Texts about automatic retries: why a request is sent again and when, for places that show no countdown (E6). */
import * as vscode from 'vscode';
import type { Turn } from '../../conversation/turn.ts';
import { formatSeconds } from '../base/formats.ts';
import { describeFailure } from './failureWords.ts';
import { turnPhaseLabel } from './turnLabels.ts';

const t = vscode.l10n.t;

/**
 * Creates a function that returns a line for a turn whenever the line changes: about each pause before a retry, and about
 * the phase after it. It returns undefined if there is no new line, and for a turn without retries.
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
