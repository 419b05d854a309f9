/** Short labels of a turn: its phase, its outcome, and the state of its tool calls. */
import * as vscode from 'vscode';
import type { CallState, Outcome, Phase, Turn } from '../../conversation/turn.ts';

const t = vscode.l10n.t;

export function phaseLabel(phase: Phase): string {
  switch (phase) {
    case 'connecting':
      return t('Connecting');
    case 'first-byte':
      return t('Waiting for the service');
    case 'waiting':
      return t('Retrying soon');
    case 'reasoning':
      return t('Reasoning');
    case 'answering':
      return t('Answering');
    case 'calling':
      return t('Using tools');
    case 'ended':
      return t('Done');
  }
}

/** The phase of a turn. If tool calls wait for an approval, it says so, because nothing else happens. */
export function turnPhaseLabel(turn: Pick<Turn, 'phase' | 'rounds'>): string {
  const waiting = waitingCalls(turn);
  if (turn.phase !== 'calling' || waiting === 0) return phaseLabel(turn.phase);
  return waiting === 1 ? t('Waiting for approval') : t('Waiting for approval ({0})', waiting);
}

export const waitingCalls = ({ rounds }: Pick<Turn, 'rounds'>): number =>
  rounds.at(-1)?.toolCalls.filter(({ state }) => state === 'waiting').length ?? 0;

export function callStateLabel(state: CallState): string {
  switch (state) {
    case 'waiting':
      return t('Waiting for approval');
    case 'running':
      return t('Running');
    case 'done':
      return t('Done');
    case 'refused':
      return t('Refused');
    case 'stopped':
      return t('Stopped');
    case 'failed':
      return t('Failed');
    case 'not-run':
      return t('Not run');
  }
}

export function outcomeLabel(outcome: Outcome): string {
  switch (outcome) {
    case 'complete':
      return t('Complete');
    case 'truncated':
      return t('Cut off');
    case 'spent-on-reasoning':
      return t('Spent on reasoning');
    case 'empty':
      return t('Empty answer');
    case 'filtered':
      return t('Filtered');
    case 'interrupted':
      return t('Interrupted');
    case 'stalled':
      return t('Stalled');
    case 'stopped':
      return t('Stopped');
    case 'failed':
      return t('Failed');
  }
}
