import * as vscode from 'vscode';
import type { Asker, Spending } from '../../spending/dailyCap.ts';
import { askInDialog } from '../base/notifications.ts';
import { describeSpending } from '../wording/spendingWords.ts';

const t = vscode.l10n.t;

/** Asks whether a request may exceed the daily cap. All requests use this dialog. */
export async function confirmSpending(spending: Spending, asker: Asker): Promise<boolean> {
  const send = t('Send Anyway');
  const chosen = await askInDialog(
    t('Exceed the daily cap?'),
    describeSpending(spending, asker),
    t('Don’t Send'),
    send,
  );
  return chosen === send;
}
