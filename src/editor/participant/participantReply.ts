/** The end of an answer to `@k3` in the chat of the editor. */
import * as vscode from 'vscode';
import { escapeMarkdown } from '../../conversation/conversationMarkdown.ts';
import { toReplyEnd } from '../../conversation/otherChats/otherReply.ts';
import type { Turn } from '../../conversation/turn.ts';
import { joinSentences } from '../base/sentences.ts';
import { nextStep, noticeText, warningsOf } from '../cards/noticeText.ts';
import { OPEN_CONVERSATION } from '../conversations/conversationItems.ts';
import { toReplyError } from '../languageModel/otherChatErrors.ts';
import { readSettings } from '../settings/settings.ts';
import type { ReplyStream } from './turnStream.ts';

const t = vscode.l10n.t;

/**
 * Shows the warnings below an answer, and the button that opens its conversation. The problems of the request are repeated here,
 * because the editor hides the progress messages before an answer. Not if the turn was stopped: the chat is found again by its text
 * (`findStopped`).
 */
export function showEnd(
  turn: Turn,
  id: string,
  problems: readonly string[],
  stream: Pick<ReplyStream, 'markdown' | 'button'>,
): void {
  const left = turn.outcome === 'stopped' ? [] : problems;
  for (const warning of [...left, ...toWarnings(turn)]) stream.markdown(`\n\n> ${escapeMarkdown(warning)}`);
  stream.button({ command: OPEN_CONVERSATION, title: t('Open in K3'), arguments: [id] });
}

export function toResult(turn: Turn | undefined, metadata: Record<string, unknown>): vscode.ChatResult {
  if (turn === undefined || turn.outcome === 'stopped') return { metadata };
  const end = toReplyEnd(turn, new Set());
  if (end.ok) return { metadata };
  return {
    metadata,
    errorDetails: {
      message: toReplyError(turn, end.problem, readSettings().prices).message,
      ...(turn.outcome === 'filtered' ? { responseIsFiltered: true } : {}),
    },
  };
}

/** The warnings about an answer without an error. */
function toWarnings(turn: Turn): readonly string[] {
  if (!toReplyEnd(turn, new Set()).ok) return [];
  const { prices } = readSettings();
  return warningsOf(turn).map((notice) =>
    joinSentences([noticeText(notice, turn, prices), nextStep(notice, turn)]),
  );
}
