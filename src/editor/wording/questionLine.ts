/** The text that represents a question in lists. */
import * as vscode from 'vscode';
import { askedQuestion, type Exchange } from '../../conversation/conversation.ts';
import { firstLineOf } from '../../conversation/shownQuestion.ts';
import type { Turn } from '../../conversation/turn.ts';

/** The first line of the question of a turn, as the chat shows it: for **Continue**, not the instruction that is sent. */
export function questionLine(exchange: Pick<Exchange, 'question'>, turn: Turn): string {
  const { asked, continues } = askedQuestion(exchange, turn);
  if (asked === undefined && continues !== undefined) return vscode.l10n.t('Continue');
  return firstLineOf(exchange.question) || vscode.l10n.t('Image');
}
