/** Messages for users who need the conversation database while another program has had it locked since the window was opened. */
import * as vscode from 'vscode';
import { showWarning } from '../base/notifications.ts';

export const lockWords = (): string =>
  vscode.l10n.t('Another program has locked the conversation database. Try again when it is free.');

export const warnOfLock = (): void => void showWarning(lockWords());

/**
 * Whether the saved conversations can be read. If not, tells the user.
 *
 * @param unsaved the message if conversations aren't saved in this window
 */
export function canRead<Saved extends { isOpen(): boolean }>(
  history: Saved | undefined,
  unsaved: string,
): history is Saved {
  if (history?.isOpen() === true) return true;
  if (history === undefined) void showWarning(unsaved);
  else warnOfLock();
  return false;
}
