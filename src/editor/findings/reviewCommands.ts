/** The commands that ask the model for a review: of a selection, a file, or the changes of a repository. */
import * as vscode from 'vscode';
import { reviewedPaths } from '../../review/questions/reviewQuestion.ts';
import { activeEditor, type LastEditor } from '../base/lastEditor.ts';
import type { Commands } from '../base/laterCommands.ts';
import type { Log } from '../base/log.ts';
import { notify, withoutLinks } from '../base/notifications.ts';
import { joinList } from '../base/sentences.ts';
import type { Composers } from '../composer/composers.ts';
import { askInChat } from '../conversations/chatAsking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { type Running, runFor } from '../conversations/messageCommands.ts';
import { nextConversation } from '../conversations/questionPreviews.ts';
import { type AllowedReads, mayReadText } from '../workspace/allowedReads.ts';
import { requestLines } from '../workspace/sentLines.ts';
import { agreesToCost, isLargeReview, type ReviewCostDeps } from './reviewCost.ts';
import {
  type FoundReview,
  findChangesReview,
  findFileReview,
  findSelectionReview,
} from './reviewQuestions.ts';

const t = vscode.l10n.t;

export interface ReviewCommandsDeps extends Omit<ReviewCostDeps, 'conversations'> {
  /** Shared by all commands, so that the user is asked about a folder only once. */
  readonly reads: AllowedReads;
  readonly composers: Pick<Composers, 'enqueue'>;
  readonly conversations: Pick<Conversations, 'front' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask'> &
    ReviewCostDeps['conversations'];
  readonly lastEditor: Pick<LastEditor, 'get'>;
  readonly log: Pick<Log, 'warn'>;
}

export function createReviewCommands(
  deps: ReviewCommandsDeps,
): Commands<'k3.reviewSelection' | 'k3.reviewFile' | 'k3.reviewChanges'> {
  const { reads, lastEditor, log } = deps;
  const ask =
    (find: (argument: unknown, running: Running) => Promise<FoundReview | undefined>) =>
    (argument: unknown) =>
      runFor(argument, log, async (running) => {
        const found = await find(argument, running);
        if (found === undefined || !(await requestLines(found.unseen))) return false;
        return askAfterCost(deps, found, running);
      });
  return {
    'k3.reviewSelection': ask((_, running) => findSelectionReview(activeEditor(lastEditor), running)),
    'k3.reviewFile': ask(async (argument, running) => {
      const uri = argument instanceof vscode.Uri ? argument : activeEditor(lastEditor)?.document.uri;
      if (uri !== undefined && !(await mayReadText(reads, uri))) return undefined;
      return findFileReview(uri, running);
    }),
    'k3.reviewChanges': ask((argument, running) => findChangesReview(reads, argument, running)),
  };
}

/**
 * Asks the questions of a review, after the user has agreed to the cost of a large one.
 *
 * @returns whether the review was asked
 */
export async function askAfterCost(
  deps: ReviewCommandsDeps,
  { questions, leftOut }: FoundReview,
  running: Running,
): Promise<boolean> {
  const conversation = nextConversation(deps.conversations);
  const isLarge = isLargeReview(questions);
  const notice = leftOut.length > 0 ? describeLeftOut(leftOut) : undefined;
  if (isLarge && !(await agreesToCost(deps, conversation, questions, notice))) return false;
  // The dialog has already named the files that are left out.
  const untold = isLarge ? [] : leftOut;
  return askInFreeConversation(deps, { questions, leftOut: untold }, running, conversation.id);
}

/**
 * Asks in the chat. Further questions are queued in its conversation.
 *
 * @param wanted the ID of the conversation for which the cost was shown
 * @returns whether the first question was asked
 */
export async function askInFreeConversation(
  {
    conversations,
    composers,
  }: {
    readonly conversations: Pick<Conversations, 'front' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask'>;
    readonly composers: Pick<Composers, 'enqueue'>;
  },
  { questions: [question, ...others], leftOut }: Pick<FoundReview, 'questions' | 'leftOut'>,
  { say, tell }: Pick<Running, 'say' | 'tell'>,
  wanted?: string,
): Promise<boolean> {
  if (question === undefined) return false;
  // All files are left out.
  if (reviewedPaths(question.text).length === 0) {
    say(describeLeftOut(leftOut));
    return false;
  }
  const { id, asked } = await askInChat(conversations, question, wanted);
  tell(asked);
  if (!asked.ok) return false;
  for (const other of others) composers.enqueue(id, other);
  if (leftOut.length > 0) notify(describeLeftOut(leftOut));
  return true;
}

export const describeLeftOut = (leftOut: readonly string[]): string =>
  t(
    'These files are not included in the review because they are too large or too many, are ignored by Git, or may contain secrets: {0}',
    withoutLinks(joinList([...leftOut.slice(0, 5), leftOut.length > 5 ? `… (${leftOut.length})` : ''])),
  );
