/** Texts about times: how long to wait, and how long the service was silent. */
import * as vscode from 'vscode';
import type { Failure, WaitPhase } from '../../service/errors.ts';
import { formatSeconds } from '../base/formats.ts';
import { joinSentences } from '../base/sentences.ts';

const t = vscode.l10n.t;

/** How long to wait before retrying a request that was refused. */
export function waitLine({ details }: Failure): string {
  if (!details.retryAfterMs) return t('The request was retried several times. Wait a moment and try again.');
  const ms = roundedUp(details.retryAfterMs);
  return t('The service asks you to wait {0} before you retry.', formatSeconds(ms));
}

/** A time, rounded up to the unit in which it is shown: a retry at a rounded-down time would be too early. In milliseconds. */
function roundedUp(ms: number): number {
  const unit = ms >= DAY_MS ? HOUR_MS : ms >= HOUR_MS ? MINUTE_MS : SECOND_MS;
  return Math.ceil(ms / unit) * unit;
}

const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1000, 60_000, 3_600_000, 86_400_000];

const SETTING_OF_PHASE: Readonly<Record<WaitPhase, string>> = {
  connecting: 'connecting',
  'first-byte': 'firstByte',
  reasoning: 'reasoning',
  answering: 'answering',
};

/** How long no data was received, and the setting of that limit. */
export function silentLine({ details }: Failure): string {
  const phase = details.phase ?? 'first-byte';
  const seconds = Math.round((details.silentMs ?? 0) / 1000);
  const line = t(
    'No data was received for {0} s, the limit set in k3.timeouts.{1}.',
    seconds,
    SETTING_OF_PHASE[phase],
  );
  return joinSentences([line, billedLine(phase)]);
}

/** What was kept and may be billed, by the phase in which the response ended. */
const billedLine = (phase: WaitPhase): string =>
  phase === 'reasoning' || phase === 'answering'
    ? t('The text received so far is kept and may have been billed.')
    : t('The request may have been billed.');

/** How long only keep-alive messages were received: four times the limit for silence. */
export function keptAliveLine({ details }: Failure): string {
  const phase = details.phase ?? 'first-byte';
  const line = t(
    'For {0} s, the service sent only keep-alive messages. This is 4 times the limit set in k3.timeouts.{1}.',
    Math.round((details.silentMs ?? 0) / 1000),
    SETTING_OF_PHASE[phase],
  );
  return joinSentences([line, billedLine(phase)]);
}
