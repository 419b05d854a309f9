/** Sends questions, and offers to set a missing API key. */
import * as vscode from 'vscode';
import { withoutRoute } from '../../requests/chosenOptions.ts';
import type { AttemptOptions } from '../../requests/conversationRequest.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { type OfferedCommand, offerCommands, showWarning } from '../base/notifications.ts';
import { showRefusal } from '../connection/shownRefusals.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import type { AskResult } from './turnStart.ts';

const t = vscode.l10n.t;

/** Called when an input was closed. `chosen`, by default true, says whether something was chosen in it. */
export type InputClosed = (chosen?: boolean) => void;

/**
 * Sends a question. When the API key is missing, asks for it and sends the question again.
 *
 * @param inputClosed called after the input for the key was closed, with whether there is a key now
 */
export async function askWithKeyPrompt(
  ask: (options: AttemptOptions) => Promise<AskResult>,
  options: AttemptOptions = {},
  inputClosed: InputClosed = () => undefined,
): Promise<AskResult> {
  const asked = await ask(options);
  // The key prompt asks for the key of the active route, not for that of a chosen one.
  if (asked.ok || options.routeName !== undefined) return asked;
  // The user isn't asked for a key after they refused to send one, or if the secret storage fails and so can't keep one.
  if (
    asked.refusal.kind !== 'no-key' ||
    asked.refusal.why === 'unconfirmed' ||
    asked.refusal.why === 'unreadable'
  )
    return asked;
  const isSet = (await vscode.commands.executeCommand<boolean>('k3.setKey')) === true;
  inputClosed(isSet);
  return isSet ? askWithKeyPrompt(ask, options, inputClosed) : asked;
}

/**
 * Shows why a question was not sent, if it was refused, with a button for the next step.
 *
 * @param options the options with which it was asked. If a route was chosen for it, the user isn't asked for that route's
 *   key, because another route may do
 * @param more other buttons
 */
export async function showIfRefused(
  asked: AskResult,
  { routeName }: AttemptOptions = {},
  ...more: OfferedCommand[]
): Promise<void> {
  if (asked.ok) return;
  const { refusal } = asked;
  if (refusal.kind === 'no-key' && routeName !== undefined)
    await offerCommands(showWarning, describeRefusal(refusal), [t('Switch Route…'), 'k3.switchRoute']);
  else await showRefusal(refusal, ...more);
}

/** The same, but doesn't wait until the message is closed, so that the command can be run again meanwhile. */
export const tellRefusal = (log: Pick<Log, 'warn'>, asked: AskResult, ...more: OfferedCommand[]): void =>
  inBackground(log, showIfRefused(asked, {}, ...more), 'showing why a question was not sent');

/**
 * Sends a question, and shows why it was not sent, if it was refused. If the route that was chosen for it no longer exists,
 * the user can ask on the active route instead.
 *
 * @param inputClosed as for `askWithKeyPrompt`
 */
export async function askOrExplain(
  ask: (options: AttemptOptions) => Promise<AskResult>,
  options: AttemptOptions,
  inputClosed?: InputClosed,
): Promise<void> {
  const asked = await askWithKeyPrompt(ask, options, inputClosed);
  const isGone = !asked.ok && asked.refusal.kind === 'no-such-route' && asked.refusal.active !== undefined;
  if (!isGone) {
    await showIfRefused(asked, options);
    return;
  }
  const offer = t('Ask on Active Route');
  const chosen = await showWarning(describeRefusal(asked.refusal), offer);
  if (chosen === offer) await askOrExplain(ask, withoutRoute(options), inputClosed);
}
