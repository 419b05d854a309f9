/**
 * Notifications. The editor shows `[text](command:…)` in them as a link that runs the command (docs/security.md), and
 * titles, file names, IDs, and addresses can come from other people. So all messages go through these functions, which
 * show no links.
 */
import * as vscode from 'vscode';

/** Text from outside, without the syntax of links. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Shows a notification. Resolves with the selected button, or undefined. */
export function showInformation(message: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(withoutLinks(message), ...buttons);
}

/** See `showInformation`. */
export function showWarning(message: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(withoutLinks(message), ...buttons);
}

/** See `showInformation`. */
export function showError(message: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(withoutLinks(message), ...buttons);
}

/** A button, the command that it runs, and the arguments of that. */
export type OfferedCommand = readonly [label: string, command: string, ...args: readonly unknown[]];

/** Shows a notification with buttons that run commands. Resolves when the command has run, or the notification was closed. */
export async function offerCommands(
  show: typeof showInformation,
  message: string,
  ...offered: readonly OfferedCommand[]
): Promise<void> {
  const chosen = await show(message, ...offered.map(([label]) => label));
  const [, command, ...args] = offered.find(([label]) => label === chosen) ?? [];
  if (command !== undefined) await vscode.commands.executeCommand(command, ...args);
}

/**
 * Asks in a dialog. The editor shows its detail as plain text. Resolves with the selected button, or undefined when the dialog is
 * closed or its Cancel is selected.
 *
 * @param safe the button that changes nothing. Enter selects it, because the editor gives the focus to the first button. It has no
 * `isCloseAffordance`: with it, the editor would put this button after all others, so that Enter would select one that allows
 * something. The label says what is left unchanged, because the editor adds a “Cancel” of its own.
 */
export function askInDialog(
  message: string,
  detail: string,
  safe: string,
  ...buttons: string[]
): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(withoutLinks(message), { modal: true, detail }, safe, ...buttons);
}

/**
 * Asks for a text. The editor would show links in the prompt, too. The input stays open when it loses the focus, so that the user can
 * look at the code without losing the typed text.
 *
 * @param token closes the input
 */
export const askForInput = (
  { prompt, ...options }: vscode.InputBoxOptions & { readonly prompt: string },
  token?: vscode.CancellationToken,
): Thenable<string | undefined> =>
  vscode.window.showInputBox({ ...options, prompt: withoutLinks(prompt), ignoreFocusOut: true }, token);

/** Says something to the user. */
export type Say = (text: string) => void;

/** Shows the text in a notification. */
export const notify: Say = (text) => void showInformation(text);
