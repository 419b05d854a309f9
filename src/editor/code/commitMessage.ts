/** Write Commit Message (`k3.commitMessage`): puts a message into the input box of the Source Control view. */
import * as vscode from 'vscode';
import { isAnswered } from '../../conversation/rounds.ts';
import { COMMIT_MESSAGE_PREFIX } from '../../panel/usage.ts';
import { refuse } from '../../requests/refusal.ts';
import { toCommitMessage } from '../../review/questions/commitQuestion.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { notify, showInformation } from '../base/notifications.ts';
import { isDoubtful } from '../cards/noticeText.ts';
import { askWithKeyPrompt, tellRefusal } from '../conversations/asking.ts';
import { isAsideUsed, orDeleteAside } from '../conversations/conversationAside.ts';
import { OPEN_CONVERSATION } from '../conversations/conversationItems.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import type { Scope } from '../workspace/changes.ts';
import { findOpen, findOpenFromStart, findRepository, type Repository } from '../workspace/git.ts';
import { findScope, toCommitQuestion } from './commitChanges.ts';
import {
  type AskedMessage,
  describeLate,
  firstTitle,
  openButton,
  putMessage,
  showIncomplete,
  showKept,
  titleFor,
} from './commitNotifications.ts';
import { type ContinuedMessages, createContinuedMessages } from './continuedMessages.ts';
import { waitForEnd } from './turnEnd.ts';

const t = vscode.l10n.t;

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
    | 'onDidChange'
  >;
  readonly reads: Pick<AllowedReads, 'askForFolder'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export interface CommitMessageCommand {
  /** @param argument the argument that the Source Control view passes to a command, which identifies the repository */
  write(argument: unknown): Promise<void>;
  /**
   * Call this when a question for a commit message was answered: one of this command, asked again, or continued, also in another
   * window.
   */
  answered(turnId: string): Promise<void>;
}

export function createCommitMessage({ conversations, reads, log }: CommitMessageDeps): CommitMessageCommand {
  /** The roots of repositories for which a message is being written. The command does nothing for them. */
  const writing = new Set<string>();
  const continued = createContinuedMessages({
    conversations,
    findOpen: findOpenFromStart,
    onPut(id, message, isLate, repository) {
      // The user may have changed the title.
      const isAsGiven = conversations.get(id)?.title === firstTitle(repository);
      if (isAsGiven) conversations.rename(id, titleFor(message));
      if (isLate) void showInformation(describeLate());
    },
    onKept: (id, isClosed) => inBackground(log, offerKept(id, isClosed), 'offering a commit message'),
  });
  return {
    async write(argument) {
      const repository = await findRepository(argument, notify);
      const root = repository?.rootUri.toString();
      if (repository === undefined || root === undefined || writing.has(root)) return;
      writing.add(root);
      // The Source Control view passes an argument. Otherwise, it may be hidden, and the user would not see the message.
      const show = () => argument === undefined && inBackground(log, showView(), 'showing Source Control');
      const asking = request({ conversations, reads, log, continued, show }, repository);
      const done = await asking.finally(() => writing.delete(root));
      // Another message can be requested while the user is told about this one.
      if (done !== undefined) await finish(continued, findOpen(root) ?? repository, done);
    },
    answered: continued.answered,
  };
}

interface RequestDeps extends CommitMessageDeps {
  readonly continued: Pick<ContinuedMessages, 'own'>;
  /** Shows the view with the input box. */
  readonly show: () => void;
}

/** Without the focus: the user may go on typing elsewhere. */
const showView = async () => vscode.commands.executeCommand('workbench.scm.focus', { preserveFocus: true });

/** Undefined if nothing was asked, or if there is nothing to tell the user. */
async function request(deps: RequestDeps, repository: Repository): Promise<Done | undefined> {
  const scope = await findScope(deps.reads, repository);
  if (scope === undefined) return undefined;
  deps.show();
  const title =
    scope === 'staged'
      ? t('Writing commit message for staged changes…')
      : t('No changes are staged. Writing commit message for all changes…');
  const location = vscode.ProgressLocation.Notification;
  const draft = repository.inputBox.value;
  return vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) =>
    ask(deps, repository, scope, draft, progress, token),
  );
}

/** Puts the message into the input box, and tells the user what matters about it. */
async function finish(
  continued: Pick<ContinuedMessages, 'leave' | 'put'>,
  repository: Repository,
  done: Done,
): Promise<void> {
  const { message, conversationId, turn, commit } = done;
  if (message === undefined) continued.leave(turn.id);
  const chosen =
    message === undefined
      ? await showIncomplete(done)
      : await putMessage(continued, repository, message, commit, done);
  await openIf(chosen, conversationId);
}

const offerKept = async (conversationId: string, isClosed: boolean) =>
  openIf(await showKept(isClosed), conversationId);

/** Opens the conversation if the user has selected the button. The command tells the user if the conversation was deleted. */
async function openIf(chosen: string | undefined, conversationId: string): Promise<void> {
  if (chosen === openButton()) await vscode.commands.executeCommand(OPEN_CONVERSATION, conversationId);
}

interface Done extends AskedMessage {
  readonly conversationId: string;
  /** The HEAD commit when the changes were read. */
  readonly commit: string | undefined;
  /** Undefined unless the answer is complete. */
  readonly message: string | undefined;
}

/**
 * Asks in a separate conversation, so that the open one doesn't change and the cost is recorded. The conversation is deleted once its
 * message is in the input box. It is kept only if the user may want to see why there is no message.
 */
async function ask(
  { conversations, log, continued }: RequestDeps,
  repository: Repository,
  scope: Scope,
  draft: string,
  progress: vscode.Progress<{ message: string }>,
  token: vscode.CancellationToken,
): Promise<Done | undefined> {
  const { question, leftOut } = await toCommitQuestion(log, repository, scope, draft, token);
  if (token.isCancellationRequested) return undefined;
  const given = firstTitle(repository);
  const { id } = conversations.createAside(given, COMMIT_MESSAGE_PREFIX);
  // Works also while the question is prepared, or the user is asked for a key.
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
  continued.own(asked.turnId);
  if (token.isCancellationRequested) conversations.stop(id);
  const turn = await waitForEnd(conversations, asked.turnId, (message) => progress.report({ message }));
  cancelling.dispose();
  const message = turn !== undefined && isAnswered(turn) ? toCommitMessage(turn.answer) : '';
  const isClosed = message !== '' && findOpen(repository.rootUri.toString()) === undefined;
  const isPut = message !== '' && !isClosed && turn !== undefined;
  const isDone = turn?.outcome === 'stopped' || (isPut && !isDoubtful(turn));
  if (isDone && !isAsideUsed(conversations, id, given)) conversations.delete(id, false);
  if (turn === undefined || turn.outcome === 'stopped') return undefined;
  const { commit } = question;
  return { turn, conversationId: id, message: isPut ? message : undefined, commit, leftOut, isClosed };
}
