/** The commands that ask the model for a review of a branch or a commit. */
import * as vscode from 'vscode';
import type { Question } from '../../conversation/question.ts';
import { toAsked } from '../../conversation/shownQuestion.ts';
import { estimateTokens } from '../../conversation/usage/tokens.ts';
import { REVIEW_BUDGET_TOKENS } from '../../review/questions/reviewQuestion.ts';
import {
  describeBranch,
  type Revision,
  toRevisionQuestions,
} from '../../review/questions/revisionQuestion.ts';
import type { Commands } from '../base/laterCommands.ts';
import type { Say } from '../base/notifications.ts';
import { runFor } from '../conversations/messageCommands.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import {
  exitCodeOf,
  findGit,
  type Git,
  type GitCommit,
  gitErrorText,
  gitReason,
  type Repository,
  repositoryName,
} from '../workspace/git.ts';
import { type ComparedRevisions, readRevisionChanges } from '../workspace/revisionChanges.ts';
import { pickBase, pickBranch, pickCommit } from './pickRevision.ts';
import { askAfterCost, describeLeftOut, type ReviewCommandsDeps } from './reviewCommands.ts';
import { areUnreadable, askForRepository, type FoundReview } from './reviewQuestions.ts';

const t = vscode.l10n.t;

export function createRevisionReviews(
  deps: ReviewCommandsDeps,
): Commands<'k3.reviewBranch' | 'k3.reviewCommit' | 'k3.timeline.reviewCommit'> {
  const { reads, log } = deps;
  const askFor = (find: (say: Say) => Promise<FoundReview | undefined>) =>
    runFor(undefined, log, async (running) => {
      const found = await find(running.say);
      return found !== undefined && (await askAfterCost(deps, found, running));
    });
  const reviewCommit = (argument: unknown, uri: unknown) =>
    askFor((say) => findCommitReview(reads, say, argument, uri));
  return {
    'k3.reviewBranch': (argument) => askFor((say) => findBranchReview(reads, say, argument)),
    'k3.reviewCommit': reviewCommit,
    // A separate command without an ellipsis in its title, because an entry of the Timeline already names the commit.
    'k3.timeline.reviewCommit': reviewCommit,
  };
}

/** The review of a branch that the user selects. */
export async function findBranchReview(
  reads: Pick<AllowedReads, 'askForFolder'>,
  say: Say,
  argument: unknown,
): Promise<FoundReview | undefined> {
  const repository = await askForRepository(reads, argument, say);
  if (repository === undefined) return undefined;
  const branch = await pickBranch(repository);
  const base = branch && (await pickBase(repository, branch));
  if (branch === undefined || base === undefined) return undefined;
  const from = await repository.getMergeBase(base.commit, branch.commit).catch((error: unknown) =>
    // With exit code 1, Git reports that there is none.
    exitCodeOf(error) === 1 ? undefined : { failure: error },
  );
  if (typeof from === 'object') return void say(gitErrorText(from.failure));
  if (from === undefined)
    return void say(t('“{0}” and “{1}” have no common commit.', branch.name, base.name));
  const revision = {
    name: describeBranch(branch.name, base.name),
    hash: branch.commit,
    message: undefined,
  };
  const asked = { title: t('Review Branch'), about: t('{0} since {1}', branch.name, base.name) };
  return findReview(repository, { from, to: branch.commit }, revision, asked, say);
}

/**
 * The review of a commit, which the user selects if the arguments of the command don't name it.
 *
 * @param uri the file whose timeline has the commit
 */
export async function findCommitReview(
  reads: Pick<AllowedReads, 'askForFolder'>,
  say: Say,
  argument: unknown,
  uri: unknown,
): Promise<FoundReview | undefined> {
  const known = hashOf(argument);
  const repository = await askForRepository(reads, known === undefined ? argument : await rootOf(uri), say);
  if (repository === undefined) return undefined;
  const hash = known ?? (await pickCommit(repository));
  if (hash === undefined) return undefined;
  const commit = await repository
    .getCommit(hash)
    .catch((error: unknown) =>
      /\b(?:bad|unknown) (?:object|revision)\b/.test(gitReason(error)) ? undefined : { failure: error },
    );
  if (commit !== undefined && 'failure' in commit) return void say(gitErrorText(commit.failure));
  if (commit === undefined) return void say(t('The commit {0} is not in this repository.', hash));
  const [from] = commit.parents ?? [];
  const revision = { name: 'commit', hash: commit.hash, message: commit.message };
  const asked = { title: t('Review Commit'), about: subjectOf(commit) };
  return findReview(repository, { from, to: commit.hash }, revision, asked, say);
}

const subjectOf = ({ hash, message }: GitCommit) =>
  `${hash.slice(0, 8)} ${message.split('\n', 1)[0] ?? ''}`.trim();

async function findReview(
  repository: Repository,
  revisions: ComparedRevisions,
  revision: Revision,
  { title, about }: { readonly title: string; readonly about: string },
  say: Say,
): Promise<FoundReview | undefined> {
  const location = vscode.ProgressLocation.Notification;
  const progress = { location, title: t('Reading changes…'), cancellable: true };
  const files = await vscode.window.withProgress(progress, async (_, token) => {
    const read = await readRevisionChanges(repository, revisions, token);
    return token.isCancellationRequested ? undefined : read;
  });
  if (files === undefined) return undefined;
  if (areUnreadable(files, say)) return undefined;
  const name = repositoryName(repository);
  const { questions: parts, leftOut } = toRevisionQuestions(
    name,
    revision,
    files,
    REVIEW_BUDGET_TOKENS,
    estimateTokens,
  );
  if (parts.length === 0)
    return void say(leftOut.length > 0 ? describeLeftOut(leftOut) : t('There are no changes to review.'));
  const questions = parts.map(
    ({ text }, index): Question => ({
      text,
      // The number of the part comes before the subject, because the end of the text is cut off in the queue and in the Reasoning
      // view.
      asked: toAsked(
        parts.length === 1 ? title : t('{0}, part {1} of {2}', title, index + 1, parts.length),
        about,
      ),
      images: [],
      origin: undefined,
      purpose: 'findings',
      repository: repository.rootUri.toString(),
    }),
  );
  return { questions, leftOut, unseen: [] };
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
