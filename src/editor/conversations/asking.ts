/** Asking, with what can be done at once about a refusal; and the question about the daily cap. */
import * as vscode from 'vscode';
import type { AttemptOptions } from '../../turns/conversationRequest.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import type { AskResult } from './conversationList.ts';

const t = vscode.l10n.t;

/** Asks; when the user sets the key that was missing, once more. */
export async function askWithKeyPrompt(
  ask: (options: AttemptOptions) => Promise<AskResult>,
  options: AttemptOptions = {},
): Promise<AskResult> {
  const asked = await ask(options);
  if (asked.ok) return asked;
  if (asked.refusal.kind !== 'no-key') return asked;
  return (await vscode.commands.executeCommand<boolean>('k3.setKey'))
    ? askWithKeyPrompt(ask, options)
    : asked;
}

export async function showRefusal(asked: AskResult): Promise<void> {
  if (asked.ok) return;
  const setKey = t('Set API Key…');
  const offers = asked.refusal.kind === 'no-key' ? [setKey] : [];
  const chosen = await vscode.window.showWarningMessage(describeRefusal(asked.refusal), ...offers);
  if (chosen === setKey) await vscode.commands.executeCommand('k3.setKey');
}
