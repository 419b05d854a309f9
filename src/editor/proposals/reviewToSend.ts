/** Creates the review for Send Review and for its preview. */
import * as vscode from 'vscode';
import type { Question } from '../../conversation/question.ts';
import type { Remark } from '../../review/comments/keptRemarks.ts';
import { reviewedProposals } from '../../review/comments/reviewedFiles.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { offerCommands, showInformation } from '../base/notifications.ts';
import type { requestLines } from '../workspace/sentLines.ts';
import type { MissingFiles } from './missingFiles.ts';
import type { Proposals } from './proposalList.ts';
import type { Remarks } from './remarks.ts';
import {
  openRemarkFiles,
  openReviewedCells,
  toReviewQuestion,
  withoutDeleted,
} from './sentReviewQuestion.ts';

const t = vscode.l10n.t;

export interface ReviewDeps {
  readonly remarks: Pick<Remarks, 'list'>;
  readonly proposals: Pick<Proposals, 'get' | 'underReview'>;
  readonly missing: Pick<MissingFiles, 'isMissing'>;
  readonly log: Pick<Log, 'warn'>;
}

interface MadeReview {
  readonly question: Question;
  readonly written: readonly Remark[];
  /** The conversation of the proposal, if there is one. */
  readonly wanted: string | undefined;
}

/**
 * Creates a question from all comments. Undefined if there are none, which is shown in a message, or if the user doesn't allow a
 * file or its lines.
 *
 * @param mayHave returns whether lines may be in the question
 */
export async function makeReview(
  deps: ReviewDeps,
  mayHave: typeof requestLines,
): Promise<MadeReview | undefined> {
  const { remarks, proposals } = deps;
  if (remarks.list().length === 0) {
    inBackground(deps.log, offerComment(), 'offering to comment on a line');
    return undefined;
  }
  const findReviewed = () => reviewedProposals(proposals.underReview(), remarks.list());
  await openRemarkFiles(remarks.list());
  await openReviewedCells(proposals, findReviewed());
  const written = remarks.list();
  const reviewed = findReviewed();
  const question = await toReviewQuestion(await withoutDeleted(deps, reviewed), written, mayHave);
  return question && { question, written, wanted: reviewed[0]?.conversationId };
}

/** Shows that there are no comments. The message is short enough that the editor shows it completely beside a button. */
const offerComment = (): Promise<void> =>
  offerCommands(
    showInformation,
    t('There are no comments to send. Add some with “Comment” above a hunk, or on a line.'),
    [t('Comment on Line'), 'k3.commentLine'],
  );
