/** Write Commit Message (`k3.commitMessage`): puts a message into the input box of the Source Control view. */
import * as vscode from 'vscode';
import type { Question } from '../../conversation/question.ts';
import { estimateTokens } from '../../conversation/usage/tokens.ts';
import { COMMIT_MESSAGE_PREFIX } from '../../panel/usage.ts';
import { refuse } from '../../requests/refusal.ts';
import { toCommitMessage, toCommitMessageQuestion } from '../../review/questions/commitQuestion.ts';
import type { Log } from '../base/log.ts';
import { showInformation } from '../base/notifications.ts';
import { askWithKeyPrompt, tellRefusal } from '../conversations/asking.ts';
import { isAsideUsed, orDeleteAside } from '../conversations/conversationAside.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { newConversation, type Preview } from '../conversations/questionPreviews.ts';
import { type AllowedReads, createAllowedReads } from '../workspace/allowedReads.ts';
import { changesOf, readChanges, type Scope } from '../workspace/changes.ts';
import { findGit, findOpen, pickRepository, type Repository, refreshState } from '../workspace/git.ts';
import {
  type AskedMessage,
  commitOf,
  describeLate,
  firstTitle,
  isDoubtful,
  openButton,
  putMessage,
  showIncomplete,
  titleFor,
} from './commitNotifications.ts';
import { type ContinuedMessages, createContinuedMessages } from './continuedMessages.ts';
import { waitForEnd } from './turnEnd.ts';

const t = vscode.l10n.t;

/** The most tokens of diffs in the question. */
const BUDGET_TOKENS = 50_000;
/** The number of latest commit subjects that show the style of the repository. */
const MAX_SUBJECTS = 8;

export interface CommitMessageDeps {
  readonly conversations: Pick<
    Conversations,
    | 'createAside'
    | 'get'
    | 'current'
    | 'isShown'
    | 'draft'
    | 'queue'
    | 'unsent'
    | 'ask'
    | 'find'
    | 'stop'
    | 'delete'
    | 'rename'
    | 'open'
    | 'onDidChange'
  >;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export interface CommitMessageCommand extends vscode.Disposable {
  /** @param argument what the Source Control view gives a command, which names the repository */
  write(argument: unknown): Promise<void>;
}

export function createCommitMessage({ conversations, log }: CommitMessageDeps): CommitMessageCommand {
  /** Repositories for which a message is being written. The command does nothing for them. */
  const writing = new Set<string>();
  const reads = createAllowedReads();
  const continued = createContinuedMessages({
    conversations,
    findOpen,
    onPut(id, message, isLate, repository) {
      // The user may have given it another one.
      const isAsGiven = conversations.get(id)?.title === firstTitle(repository);
      if (isAsGiven) conversations.rename(id, titleFor(message));
      if (isLate) void showInformation(describeLate());
    },
  });
  return {
    async write(argument) {
      const repository = await findRepository(argument);
      const root = repository?.rootUri.toString();
      if (repository === undefined || root === undefined || writing.has(root)) return;
      writing.add(root);
      const asking = request({ conversations, log }, reads, repository);
      const done = await asking.finally(() => writing.delete(root));
      // Another one can be requested while the user is told about this one.
      if (done !== undefined)
        await finish(conversations, continued, findOpen(repository) ?? repository, done);
    },
    dispose: continued.dispose,
  };
}

/** What Write Commit Message would ask, in a conversation of its own. */
export const toCommitPreview = ({ log }: Pick<CommitMessageDeps, 'log'>): Preview => {
  const reads = createAllowedReads();
  return {
    title: t('Write Commit Message'),
    async make() {
      const repository = await findRepository(undefined);
      const scope = repository && (await findScope(reads, repository));
      if (repository === undefined || scope === undefined) return undefined;
      const cancelling = new vscode.CancellationTokenSource();
      const draft = repository.inputBox.value;
      const { question } = await toCommitQuestion(log, repository, scope, draft, cancelling.token);
      cancelling.dispose();
      return { conversation: newConversation(), question };
    },
  };
};

async function findRepository(argument: unknown): Promise<Repository | undefined> {
  const git = await findGit();
  if (git !== undefined && git.repositories.length > 0) return pickRepository(git, argument);
  return void showInformation(t('No Git repository is open in this window.'));
}

/** The changes that the message is for: those that are staged if there are any. Says so if there are none. */
async function findScope(
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

/** Undefined if nothing was asked, or nothing is to be said. */
async function request(
  deps: CommitMessageDeps,
  reads: Pick<AllowedReads, 'askForFolder'>,
  repository: Repository,
): Promise<Requested | undefined> {
  const scope = await findScope(reads, repository);
  if (scope === undefined) return undefined;
  const title =
    scope === 'staged'
      ? t('Writing commit message for staged changes…')
      : t('No changes are staged. Writing commit message for all changes…');
  const location = vscode.ProgressLocation.Notification;
  const draft = repository.inputBox.value;
  const commit = commitOf(repository);
  const done = await vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) =>
    ask(deps, repository, scope, draft, progress, token),
  );
  return done && { ...done, commit };
}

/** Puts the message into the input box, and says what the user must know about it. */
async function finish(
  conversations: Pick<Conversations, 'open'>,
  continued: Pick<ContinuedMessages, 'wait' | 'put'>,
  repository: Repository,
  done: Requested,
): Promise<void> {
  const { message, conversationId, commit } = done;
  if (message === undefined)
    continued.wait(conversationId, repository, () => commitOf(findOpen(repository) ?? repository) !== commit);
  const chosen =
    message === undefined
      ? await showIncomplete(done)
      : await putMessage(continued, repository, message, commit, done);
  if (chosen !== openButton()) return;
  conversations.open(conversationId);
  await vscode.commands.executeCommand('k3.focusChat');
}

interface Requested extends Done {
  /** The commit when the changes were read. */
  readonly commit: string | undefined;
}

interface Done extends AskedMessage {
  readonly conversationId: string;
  /** Undefined unless the answer is complete. */
  readonly message: string | undefined;
}

/**
 * Asks in a separate conversation, so that the open one doesn't change and the cost is recorded. It is deleted with its
 * message, which is in the input box, and kept only when the user may want to see why there is none.
 */
async function ask(
  { conversations, log }: CommitMessageDeps,
  repository: Repository,
  scope: Scope,
  draft: string,
  progress: vscode.Progress<{ message: string }>,
  token: vscode.CancellationToken,
): Promise<Done | undefined> {
  const { question, leftOut } = await toCommitQuestion(log, repository, scope, draft, token);
  if (token.isCancellationRequested) return undefined;
  const { id } = conversations.createAside(firstTitle(repository), COMMIT_MESSAGE_PREFIX);
  // Also while the question is prepared, or a key is asked for.
  const cancelling = token.onCancellationRequested(() => conversations.stop(id));
  const sent = askWithKeyPrompt(async (options) =>
    token.isCancellationRequested ? refuse({ kind: 'stopped' }) : conversations.ask(id, question, options),
  );
  const asked = await orDeleteAside(conversations, id, sent);
  if (!asked.ok) {
    cancelling.dispose();
    conversations.delete(id, false);
    if (!token.isCancellationRequested) tellRefusal(log, asked);
    return undefined;
  }
  if (token.isCancellationRequested) conversations.stop(id);
  const turn = await waitForEnd(conversations, asked.turnId, (message) => progress.report({ message }));
  cancelling.dispose();
  const message = turn?.outcome === 'complete' ? toCommitMessage(turn.answer) : '';
  const isClosed = message !== '' && findOpen(repository) === undefined;
  const isPut = message !== '' && !isClosed && turn !== undefined;
  const isDone = turn?.outcome === 'stopped' || (isPut && !isDoubtful(turn));
  if (isDone && !isAsideUsed(conversations, id)) conversations.delete(id);
  if (turn === undefined || turn.outcome === 'stopped') return undefined;
  return { turn, conversationId: id, message: isPut ? message : undefined, leftOut, isClosed };
}

async function toCommitQuestion(
  log: Pick<Log, 'info'>,
  repository: Repository,
  scope: Scope,
  draft: string,
  token: vscode.CancellationToken,
) {
  const files = await readChanges(repository, scope, token);
  const earlier = await readSubjects(repository, log);
  const { text, leftOut } = toCommitMessageQuestion({ files, draft, earlier }, BUDGET_TOKENS, estimateTokens);
  const asked = t('Write Commit Message');
  const question: Question = { text, asked, images: [], origin: undefined, purpose: 'commit-message' };
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
