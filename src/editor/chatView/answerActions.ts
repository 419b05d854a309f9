/**
 * What the user does with an answer: copies it, opens a link of it, asks about a sentence of it, or edits its
 * question.
 */
import * as vscode from 'vscode';
import { isContinuing } from '../../conversation/continuingQuestion.ts';
import type { Conversation, Exchange } from '../../conversation/conversation.ts';
import { typedWords } from '../../conversation/shownQuestion.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import { toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { isLoopbackAddress } from '../../service/address.ts';
import { withoutIcons } from '../base/quickPicks.ts';
import type { Found } from '../conversations/foundTurns.ts';
import type { Findings } from '../findings/findingList.ts';
import type { Reply } from './reply.ts';
import { toShownWhole } from './shownAnswer.ts';

const t = vscode.l10n.t;

/**
 * The question to edit: that of `last`, with the text that the user typed. A question that only continues an answer has no
 * text by the user, so the question whose answer it continues is edited instead.
 */
export function toEditing(
  { exchanges }: Pick<Conversation, 'exchanges'> = { exchanges: [] },
  last: Exchange | undefined = exchanges.at(-1),
): Reply {
  const upToLast = exchanges.slice(0, last === undefined ? 0 : exchanges.indexOf(last) + 1);
  const written = upToLast.findLast(({ question }) => !isContinuing(question));
  if (written === undefined) return {};
  const { id, question } = written;
  return { edit: { exchangeId: id, text: typedWords(question)?.typed ?? question.text } };
}

/** Lets the user choose a sentence of an answer to ask about, because nothing is selected. */
export async function chooseWords({
  turnId,
  sentences,
}: Extract<WebviewMessage, { type: 'choose-words' }>): Promise<Reply['why']> {
  const items = sentences.map((words) => ({ label: withoutIcons(words), words }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Why? Select a sentence of the answer'),
    placeHolder: t('The steps of the reasoning that mention it are shown'),
  });
  return chosen && { turnId, words: chosen.words };
}

/**
 * Copies the answer as the panel shows it: as Markdown, even if a command requested it in another format, and findings with their
 * lines in the files, or with the reason why they have none.
 */
export async function copyAnswer(
  found: Found | undefined,
  { placementsOf }: Pick<Findings, 'placementsOf'>,
): Promise<void> {
  if (found === undefined) return;
  const { conversation, exchange, turn } = found;
  const whole = toWholeAnswer(conversation.exchanges, exchange.question, turn);
  await vscode.env.clipboard.writeText(toShownWhole(exchange.question, turn, whole, placementsOf(turn.id)));
}

/** Opens a link of an answer: only http(s), and through the editor, which asks first (docs/security.md). */
export async function openLink(href: string): Promise<void> {
  const uri = vscode.Uri.parse(href, true);
  if (uri.scheme !== 'https' && uri.scheme !== 'http') return;
  // In a remote window, this is the remote machine. `openExternal` forwards its port, `vscode.open` doesn't.
  if (isLoopbackAddress(href)) await vscode.env.openExternal(uri);
  // As text: a `Uri` doesn't keep which characters were encoded, and `%2F` leads to another address than `/`.
  else await vscode.commands.executeCommand('vscode.open', href);
}
