/** Shows a turn of a conversation in another chat, while it runs. */
import * as vscode from 'vscode';
import type { AppendedText } from '../../conversation/events.ts';
import { followShownText, NOTHING_SHOWN } from '../../conversation/otherChats/shownText.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { createRetryLines } from '../wording/retryWords.ts';
import { waitingCalls } from '../wording/turnLabels.ts';

const t = vscode.l10n.t;

/** The parts of a response stream that the reply needs. */
export type ReplyStream = Pick<vscode.ChatResponseStream, 'markdown' | 'progress' | 'button'>;

/** Streams a turn. Resolves when it has ended, or with undefined when its conversation was deleted. */
export function streamTurn(
  conversations: Pick<Conversations, 'find' | 'onDidChange'>,
  turnId: string,
  stream: ReplyStream,
): Promise<Turn | undefined> {
  return new Promise((resolve) => {
    let shown = NOTHING_SHOWN;
    let reasoningReported = false;
    let waitedFor = 0;
    const retryLineOf = createRetryLines();
    /** Returns whether the turn has ended, or its conversation was deleted. */
    const update = (turn: Turn | undefined, appended?: AppendedText) => {
      if (turn?.phase === 'reasoning' && !reasoningReported) {
        reasoningReported = true;
        stream.progress(t('Reasoning…'));
      }
      // Also called for phases between two pauses, because two pauses can have the same reason.
      const retry = turn && retryLineOf(turn);
      if (retry !== undefined && turn?.waiting !== undefined) stream.progress(retry);
      // Tool calls are shown only in K3. Without this message, the model would seem to be reasoning.
      if (turn !== undefined && waitingCalls(turn) > 0 && waitedFor < turn.rounds.length) {
        waitedFor = turn.rounds.length;
        stream.progress(t('Waiting for approval of a tool call'));
        stream.button({ command: 'k3.decideToolCall', title: t('Review…') });
      }
      if (turn !== undefined) {
        const now = followShownText(shown, turn, appended?.answer);
        shown = now.shown;
        if (now.added !== '') stream.markdown(now.added);
      }
      if (turn !== undefined && turn.outcome === undefined) return false;
      resolve(turn);
      return true;
    };
    const find = () => conversations.find(turnId)?.turn;
    if (update(find())) return;
    const listening = conversations.onDidChange((change) => {
      const ended =
        change.type === 'turn'
          ? change.turn.id === turnId && update(change.turn, change.appended)
          : // The conversation may have been deleted.
            change.type === 'listed' && update(find());
      if (ended) listening.dispose();
    });
  });
}
