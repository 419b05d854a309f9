/** The commands that ask the model for a review of a branch or a commit. */
import * as vscode from 'vscode';
import { toAsked } from '../../chat/asked.ts';
import type { Question } from '../../chat/question.ts';
import { estimateTokens } from '../../chat/tokens.ts';
import { describeBranch, type Revision, toRevisionQuestions } from '../../review/revisionQuestion.ts';
import { showInformation } from '../base/notifications.ts';
import { nextConversation } from '../conversations/previews.ts';
import { findGit, type Git, type GitCommit, type Repository } from '../workspace/git.ts';
import { type Revisions, readRevisionChanges } from '../workspace/revisionChanges.ts';
import { pickBase, pickBranch, pickCommit } from './pickRevision.ts';
import {
  askInFreeConversation,
  findRepository,
  REVIEW_BUDGET_TOKENS,
  type ReviewCommandsDeps,
  showLeftOut,
} from './reviewCommands.ts';
import { agreesToCost, type ReviewCostDeps } from './reviewCost.ts';

const t = vscode.l10n.t;

type RevisionReviewsDeps = ReviewCommandsDeps & ReviewCostDeps;

export function registerRevisionReviews(deps: RevisionReviewsDeps): vscode.Disposable {
  const { registerCommand } = vscode.commands;
  const { reads } = deps;
  return vscode.Disposable.from(
    registerCommand('k3.reviewBranch', async (argument: unknown) => {
      const repository = await findRepository(reads, argument);
      if (repository !== undefined) await reviewBranch(deps, repository);
    }),
    registerCommand('k3.reviewCommit', async (argument: unknown, uri: unknown) => {
      const hash = hashOf(argument);
      const of = hash === undefined ? argument : await rootOf(uri);
      const repository = await findRepository(reads, of);
      if (repository !== undefined) await reviewCommit(deps, repository, hash);
    }),
  );
}

async function reviewBranch(deps: RevisionReviewsDeps, repository: Repository): Promise<void> {
  const branch = await pickBranch(repository);
  const base = branch && (await pickBase(repository, branch));
  if (branch === undefined || base === undefined) return;
  const from = await repository.getMergeBase(base.name, branch.name).catch(() => undefined);
  if (from === undefined) {
    void showInformation(t('“{0}” and “{1}” have no common commit.', branch.name, base.name));
    return;
  }
  const revision = {
    name: describeBranch(branch.name, base.name),
    hash: branch.commit,
    message: undefined,
  };
  const asked = toAsked(t('Review Branch'), t('{0} since {1}', branch.name, base.name));
  await review(deps, repository, { from, to: branch.commit }, revision, asked);
}

async function reviewCommit(
  deps: RevisionReviewsDeps,
  repository: Repository,
  known: string | undefined,
): Promise<void> {
  const hash = known ?? (await pickCommit(repository));
  if (hash === undefined) return;
  const commit = await repository.getCommit(hash).catch(() => undefined);
  if (commit === undefined) {
    void showInformation(t('The commit {0} is not in this repository.', hash));
    return;
  }
  const [from] = commit.parents ?? [];
  const revision = { name: 'commit', hash: commit.hash, message: commit.message };
  await review(
    deps,
    repository,
    { from, to: commit.hash },
    revision,
    toAsked(t('Review Commit'), subjectOf(commit)),
  );
}

const subjectOf = ({ hash, message }: GitCommit) =>
  `${hash.slice(0, 8)} ${message.split('\n', 1)[0] ?? ''}`.trim();

async function review(
  deps: RevisionReviewsDeps,
  repository: Repository,
  revisions: Revisions,
  revision: Revision,
  asked: string,
): Promise<void> {
  const location = vscode.ProgressLocation.Notification;
  const title = t('Reading the changes…');
  const files = await vscode.window.withProgress({ location, title, cancellable: true }, async (_, token) => {
    const read = await readRevisionChanges(repository, revisions, token);
    return token.isCancellationRequested ? undefined : read;
  });
  if (files === undefined) return;
  const name = repository.rootUri.path.split('/').at(-1) ?? '';
  const { questions, leftOut } = toRevisionQuestions(
    name,
    revision,
    files,
    REVIEW_BUDGET_TOKENS,
    estimateTokens,
  );
  if (questions.length === 0) {
    if (leftOut.length > 0) showLeftOut(leftOut);
    else void showInformation(t('There are no changes to review.'));
    return;
  }
  const parts = questions.map(
    ({ text }, index): Question => ({
      text,
      asked: questions.length === 1 ? asked : t('{0}, part {1} of {2}', asked, index + 1, questions.length),
      images: [],
      origin: undefined,
      purpose: 'findings',
    }),
  );
  const conversation = nextConversation(deps.conversations);
  const fileCount = questions.reduce((sum, question) => sum + question.files, 0);
  if (parts.length > 1 && !(await agreesToCost(deps, conversation, parts, fileCount))) return;
  await askInFreeConversation(deps, parts, leftOut, conversation.id);
}

/** The commit of an entry in the timeline of the Git extension. */
function hashOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('ref' in argument)) return undefined;
  return typeof argument.ref === 'string' && /^[\da-f]{7,64}$/.test(argument.ref) ? argument.ref : undefined;
}

/** The root of the repository that has a file. */
async function rootOf(uri: unknown): Promise<vscode.Uri | undefined> {
  const git: Git | undefined = uri instanceof vscode.Uri ? await findGit() : undefined;
  return uri instanceof vscode.Uri ? git?.getRepository(uri)?.rootUri : undefined;
}
