/** Places the findings of reviews when these are answered, and of those that another window has left. */
import * as vscode from 'vscode';
import { type AnsweredReview, type StoredReview, withReview } from '../../review/findings/storedFindings.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { type PendingAnswers, takeLeft } from '../proposals/pendingAnswers.ts';
import type { Renames } from '../proposals/renamedFiles.ts';
import { findingsOfAnswer } from './answerFindings.ts';

export interface AnsweredReviewsDeps {
  readonly conversations: Pick<Conversations, 'find' | 'get' | 'isUnread' | 'onDidChange'>;
  readonly pending: PendingAnswers;
  readonly renames: Pick<Renames, 'since'>;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * @param known the reviews with their findings
 * @param add called with all reviews when one was added, and with the ID of its turn
 */
export function followAnsweredReviews(
  { conversations, pending, renames, log }: AnsweredReviewsDeps,
  known: () => readonly StoredReview[],
  add: (next: readonly StoredReview[], turnId: string) => void,
): vscode.Disposable {
  /** The reviews of this session. Kept, because an older question can be answered after a newer one. */
  const answered: AnsweredReview[] = [];
  let closed = false;

  /** The reviews of other sessions that were asked later. Their lines aren't known, so they replace nothing, but aren't replaced. */
  const laterStored = (startedAt: number): readonly AnsweredReview[] =>
    known().flatMap(({ turnId, conversationId }) => {
      // Loads the conversation, so that `find` finds the turn.
      conversations.get(conversationId);
      const turn = conversations.find(turnId)?.turn;
      return turn === undefined || turn.startedAt <= startedAt
        ? []
        : [{ turnId, startedAt: turn.startedAt, reviewed: [] }];
    });

  async function addFindings(found: Found, isLeft = false): Promise<void> {
    const { conversation, turn } = found;
    pending.begin({ turnId: turn.id, conversationId: conversation.id });
    const given = await findingsOfAnswer(found, renames, log);
    // The next window places them.
    if (closed || given === undefined) return;
    const { findings, reviewed } = given;
    const later = [
      ...answered.filter(({ startedAt }) => startedAt > turn.startedAt),
      ...(isLeft ? laterStored(turn.startedAt) : []),
    ];
    answered.push({ turnId: turn.id, startedAt: turn.startedAt, reviewed });
    const review = { turnId: turn.id, conversationId: conversation.id, findings };
    add(withReview(known(), review, reviewed, later), turn.id);
  }

  function addInBackground(found: Found, isLeft?: boolean): void {
    const adding = addFindings(found, isLeft).finally(() => {
      if (!closed) pending.end(found.turn.id);
    });
    inBackground(log, adding, 'placing the findings');
  }

  const listening = vscode.Disposable.from(
    takeLeft({ conversations, pending }, (found) => {
      if (known().some(({ turnId }) => turnId === found.turn.id)) pending.end(found.turn.id);
      else addInBackground(found, true);
    }),
    conversations.onDidChange((change) => {
      if (change.type !== 'turn') return;
      const { turn, before } = change;
      if (turn.outcome !== 'complete' || before.outcome !== undefined) return;
      const found = conversations.find(turn.id);
      if (found?.exchange.question.purpose === 'findings') addInBackground(found);
    }),
  );

  return new vscode.Disposable(() => {
    closed = true;
    pending.leave();
    listening.dispose();
  });
}
