/** The question of Write Commit Message: which changes of which repository it is about. */
import * as vscode from 'vscode';
import type { Question } from '../../conversation/question.ts';
import { estimateTokens } from '../../conversation/usage/tokens.ts';
import { toCommitMessageQuestion } from '../../review/questions/commitQuestion.ts';
import { neverCanceled } from '../base/cancellation.ts';
import type { Log } from '../base/log.ts';
import { notify, showInformation } from '../base/notifications.ts';
import { newConversation, type Preview } from '../conversations/questionPreviews.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { changesOf, readChanges, type Scope } from '../workspace/changes.ts';
import { findRepository, headCommitOf, type Repository, refreshState } from '../workspace/git.ts';

const t = vscode.l10n.t;

/** The maximum number of tokens of diffs in the question. */
const BUDGET_TOKENS = 50_000;
/** The number of latest commit subjects that show the style of the repository. */
const MAX_SUBJECTS = 8;

export interface CommitPreviewDeps {
  readonly reads: Pick<AllowedReads, 'askForFolder'>;
  readonly log: Pick<Log, 'info'>;
}

/** The question that Write Commit Message would ask, in a conversation of its own. */
export const toCommitPreview = ({ reads, log }: CommitPreviewDeps): Preview => ({
  title: t('Write Commit Message'),
  async make() {
    const repository = await findRepository(undefined, notify);
    const scope = repository && (await findScope(reads, repository));
    if (repository === undefined || scope === undefined) return undefined;
    const draft = repository.inputBox.value;
    const { question } = await toCommitQuestion(log, repository, scope, draft, neverCanceled());
    return { conversation: newConversation(), question };
  },
});

/** The changes for the message: the staged ones if there are any, otherwise all. Tells the user if there are none. */
export async function findScope(
  reads: Pick<AllowedReads, 'askForFolder'>,
  repository: Repository,
): Promise<Scope | undefined> {
  // The root of the repository can be above the workspace.
  if (!(await reads.askForFolder(repository.rootUri))) return undefined;
  await refreshState(repository);
  const scope: Scope = changesOf(repository, 'staged').length > 0 ? 'staged' : 'all';
  if (changesOf(repository, scope).length > 0) return scope;
  return void showInformation(t('There are no changes since the last commit.'));
}

export async function toCommitQuestion(
  log: Pick<Log, 'info'>,
  repository: Repository,
  scope: Scope,
  draft: string,
  token: vscode.CancellationToken,
) {
  const commit = headCommitOf(repository);
  const files = await readChanges(repository, scope, token);
  const earlier = await readSubjects(repository, log);
  const { text, leftOut } = toCommitMessageQuestion({ files, draft, earlier }, BUDGET_TOKENS, estimateTokens);
  const question: Question = {
    text,
    asked: t('Write Commit Message'),
    images: [],
    origin: undefined,
    purpose: 'commit-message',
    repository: repository.rootUri.toString(),
    ...(commit && { commit }),
  };
  return { question, leftOut };
}

/** The subjects of the latest commits; empty when there are none. */
async function readSubjects(repository: Repository, log: Pick<Log, 'info'>): Promise<readonly string[]> {
  try {
    const commits = await repository.log({ maxEntries: MAX_SUBJECTS });
    return commits.map(({ message }) => message.split('\n', 1)[0] ?? '');
  } catch (error) {
    // Git also fails in a repository without commits. The message is then requested without examples.
    log.info(`couldn't read the latest commit messages: ${String(error)}`);
    return [];
  }
}
