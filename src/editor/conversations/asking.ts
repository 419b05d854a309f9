/** Asking, with what can be done at once about a refusal: set the key, or agree to go past the day's cap. */
import * as vscode from 'vscode';
import type { Spending } from '../../chat/roundCap.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import type { Asked } from './conversations.ts';
import type { AttemptOptions } from './preparation.ts';

const t = vscode.l10n.t;

/** Asks; when the reader does what the refusal offers, once more. */
export async function askWithOffers(
  ask: (options: AttemptOptions) => Promise<Asked>,
  options: AttemptOptions = {},
): Promise<Asked> {
  const asked = await ask(options);
  if (asked.ok) return asked;
  switch (asked.refusal.kind) {
    case 'no-key':
      return (await vscode.commands.executeCommand<boolean>('k3.setKey'))
        ? askWithOffers(ask, options)
        : asked;
    case 'over-cap':
      return (await askPastCap(asked.refusal)) ? ask({ ...options, pastCap: true }) : asked;
    default:
      return asked;
  }
}

/** Asks whether a request may go past the cap of the day. */
export async function askPastCap(spending: Spending): Promise<boolean> {
  const send = t('Send Anyway');
  const detail = describeRefusal({ kind: 'over-cap', ...spending });
  const chosen = await vscode.window.showWarningMessage(
    t('Exceed the daily cap?'),
    { modal: true, detail },
    send,
  );
  return chosen === send;
}

export async function tellRefusal(asked: Asked): Promise<void> {
  if (asked.ok) return;
  const setKey = t('Set API Key…');
  const offers = asked.refusal.kind === 'no-key' ? [setKey] : [];
  const chosen = await vscode.window.showWarningMessage(describeRefusal(asked.refusal), ...offers);
  if (chosen === setKey) await vscode.commands.executeCommand('k3.setKey');
}
