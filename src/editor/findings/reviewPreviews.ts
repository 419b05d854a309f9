/** Previews the requests of the review commands and of Discuss Finding. */
import * as vscode from 'vscode';
import { reviewedPaths } from '../../review/questions/reviewQuestion.ts';
import { activeEditor } from '../base/lastEditor.ts';
import { notify } from '../base/notifications.ts';
import { plainItem } from '../base/quickPicks.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { nextConversation, type Preview, type Previewed } from '../conversations/questionPreviews.ts';
import { toPath } from '../workspace/selectedCode.ts';
import { requestFiles } from '../workspace/sentLines.ts';
import { askForText, toDiscussionQuestion } from './findingActions.ts';
import type { Findings } from './findingList.ts';
import type { OpenFinding } from './openFindings.ts';
import { describeLeftOut, type ReviewCommandsDeps } from './reviewCommands.ts';
import {
  type Asking,
  type FoundReview,
  findChangesReview,
  findFileReview,
  findSelectionReview,
} from './reviewQuestions.ts';
import { findBranchReview, findCommitReview } from './revisionReviews.ts';

const t = vscode.l10n.t;

export interface ReviewPreviewsDeps extends Pick<ReviewCommandsDeps, 'reads' | 'lastEditor'> {
  readonly conversations: Pick<Conversations, 'front' | 'get' | 'isRunning' | 'holder'>;
  readonly findings: Pick<Findings, 'list'>;
}

export function toReviewPreviews(deps: ReviewPreviewsDeps): readonly Preview[] {
  const { reads, lastEditor } = deps;
  const editor = () => activeEditor(lastEditor);
  const review = (
    title: string,
    find: (asking: Asking) => Promise<FoundReview | undefined>,
    command?: string,
  ): Preview => ({
    title,
    ...(command && { command }),
    make: async (words = '') => toPreviewed(deps, await find({ words, say: notify })),
  });
  return [
    review(t('Review Selection'), (asking) => findSelectionReview(editor(), asking), 'k3.reviewSelection'),
    review(t('Review File'), (asking) => findFileReview(editor()?.document.uri, asking), 'k3.reviewFile'),
    review(t('Review Changes'), (asking) => findChangesReview(reads, undefined, asking), 'k3.reviewChanges'),
    review(t('Review Branch'), ({ say }) => findBranchReview(reads, say, undefined)),
    review(t('Review Commit'), ({ say }) => findCommitReview(reads, say, undefined, undefined)),
    { title: t('Discuss Finding'), make: () => discuss(deps) },
  ];
}

function toPreviewed(
  { conversations }: ReviewPreviewsDeps,
  found: FoundReview | undefined,
): Previewed | undefined {
  const [question] = found?.questions ?? [];
  if (found === undefined || question === undefined) return undefined;
  if (reviewedPaths(question.text).length === 0) return void notify(describeLeftOut(found.leftOut));
  const requests = found.questions.length;
  return { conversation: nextConversation(conversations), question, ...(requests > 1 && { requests }) };
}

async function discuss({ conversations, findings }: ReviewPreviewsDeps): Promise<Previewed | undefined> {
  const found = await pickFinding(findings.list());
  const text = found && (await askForText(found.finding.claim));
  if (found === undefined || text === undefined || text.trim() === '') return undefined;
  if (!(await requestFiles([found.uri]))) return undefined;
  const { question } = await toDiscussionQuestion(found, text);
  const conversation = conversations.get(found.conversationId);
  return conversation && { conversation, question };
}

async function pickFinding(open: readonly OpenFinding[]): Promise<OpenFinding | undefined> {
  if (open.length === 0) return void notify(t('No findings.'));
  const items = open.map((found) => ({
    label: found.finding.claim,
    description: `${toPath(found)}:${found.startLine + 1}`,
    found,
  }));
  return (await vscode.window.showQuickPick(items.map(plainItem), { title: t('Discuss Finding') }))?.found;
}
