/** What users are told who want something of a database that another program has locked since the window began. */
import * as vscode from 'vscode';
import { showWarning } from '../base/notifications.ts';

export const lockWords = (): string =>
  vscode.l10n.t('Another program has locked the conversation database. Try again when it is free.');

export const warnOfLock = (): void => void showWarning(lockWords());
