/** The commands that ask the model for a review of a branch or a commit. */
import * as vscode from 'vscode';
import { toAsked } from '../../chat/asked.ts';
import { estimateSeries } from '../../chat/budget.ts';
import type { Question } from '../../chat/question.ts';
import { estimateTokens } from '../../chat/tokens.ts';
import { describeBranch, type Revision, toRevisionQuestions } from '../../review/revisionQuestion.ts';
import { formatCost, tokensText } from '../base/formats.ts';
import { askInDialog, showInformation } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { readSettings } from '../base/settings.ts';
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

const t = vscode.l10n.t;

export function registerRevisionReviews(deps: ReviewCommandsDeps): vscode.Disposable {
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

async function reviewBranch(deps: ReviewCommandsDeps, repository: Repository): Promise<void> {
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
  deps: ReviewCommandsDeps,
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
  deps: ReviewCommandsDeps,
  repository: Repository,
  revisions: Revisions,
  revision: Revision,
  asked: string,
): Promise<void> {
  const location = vscode.ProgressLocation.Notification;
  const title = t('Reading changes…');
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
  if (questions.length > 1 && !(await agrees(questions))) return;
  const parts = questions.map(
    ({ text }, index): Question => ({
      text,
      asked: questions.length === 1 ? asked : t('{0}, part {1} of {2}', asked, index + 1, questions.length),
      images: [],
      origin: undefined,
      purpose: 'findings',
    }),
  );
  await askInFreeConversation(deps, parts, leftOut);
}

/** Many files are several requests, so their cost is shown before the first one is sent. */
async function agrees(
  questions: readonly { readonly text: string; readonly files: number }[],
): Promise<boolean> {
  const files = questions.reduce((sum, question) => sum + question.files, 0);
  const { tokens, cost } = estimateSeries(
    questions.map(({ text }) => estimateTokens(text)),
    readSettings().prices,
  );
  const send = t('Review');
  const chosen = await askInDialog(
    plural(t('Review {0, plural, one {# file} other {# files}} in {1} requests?'), files, questions.length),
    t(
      'About {0} are sent, which costs about {1}, plus the answers. Each request is sent when the one before it is answered.',
      tokensText(tokens),
      formatCost(cost),
    ),
    t('Don’t Send'),
    send,
  );
  return chosen === send;
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
