/** Commands for a conversation, by default that of the chat in front: open, rename, pin, delete with undo, and fork. */
import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import { isBegun } from '../../history/unsentParts.ts';
import { askForInput, showInformation, showWarning, withoutLinks } from '../base/notifications.ts';
import { OPEN_CONVERSATION } from './conversationItems.ts';
import type { Conversations } from './conversationList.ts';
import type { ConversationNode } from './conversationsTree.ts';

const t = vscode.l10n.t;

export interface ConversationCommandsDeps {
  readonly conversations: Conversations;
}

/** The argument of the commands: a node of the view, an ID, or undefined from the Command Palette. */
export type ConversationTarget = string | ConversationNode | undefined;

export const idOfTarget = (target: ConversationTarget): string | undefined =>
  typeof target === 'string' ? target : target?.conversationId;

/** The conversation for a command; undefined when it no longer exists. */
export function targetOf(
  conversations: Pick<Conversations, 'front' | 'get'>,
  target: ConversationTarget,
): Conversation | undefined {
  const id = idOfTarget(target);
  return id === undefined ? conversations.front() : conversations.get(id);
}

export function registerConversationCommands({ conversations }: ConversationCommandsDeps): vscode.Disposable {
  /** Runs a command with its conversation. */
  const on = (body: (conversation: Conversation) => unknown) => async (target: ConversationTarget) => {
    const conversation = targetOf(conversations, target);
    if (conversation !== undefined) await body(conversation);
    else tellIfAbsent(target);
  };
  /**
   * Tells the user if the conversation of a command can't be read, and isn't known from before, or was deleted since it was
   * listed or its answer was reported. No command acts on such a conversation.
   */
  function tellIfAbsent(target: ConversationTarget): void {
    const id = idOfTarget(target) ?? '';
    if (conversations.get(id) !== undefined) return;
    const deleted = conversations.deleted(id);
    if (deleted !== undefined || conversations.isUnread(id))
      tellAbsence(conversations, { id, title: deleted?.title ?? '' });
  }
  function pin(conversation: Conversation, pinned: boolean): void {
    if (!conversations.pin(conversation.id, pinned)) tellAbsence(conversations, conversation);
  }
  const { registerCommand } = vscode.commands;
  return vscode.Disposable.from(
    registerCommand(OPEN_CONVERSATION, async (id: unknown) => {
      if (typeof id === 'string') {
        conversations.open(id);
        tellIfAbsent(id);
      }
      await vscode.commands.executeCommand('k3.focusChat');
    }),
    registerCommand(
      'k3.deleteConversation',
      on((conversation) => remove(conversations, conversation)),
    ),
    registerCommand(
      'k3.renameConversation',
      on(async (conversation) => {
        const title = await askTitle(conversation);
        if (title === undefined || conversations.rename(conversation.id, title.trim())) return;
        tellAbsence(conversations, conversation);
      }),
    ),
    registerCommand(
      'k3.pinConversation',
      on((conversation) => pin(conversation, true)),
    ),
    registerCommand(
      'k3.unpinConversation',
      on((conversation) => pin(conversation, false)),
    ),
    registerCommand(
      'k3.forkConversation',
      on(async (conversation) => {
        if (!hasEnded(conversation)) return void showInformation(t('There is no answer yet.'));
        const fork = conversations.fork(conversation.id);
        if (fork === undefined) return tellAbsence(conversations, conversation);
        await vscode.commands.executeCommand('k3.focusChat');
        if (isRunning(conversation))
          void showInformation(t('The answer that is still running isn’t in the fork.'));
      }),
    ),
  );
}

/** Whether there is something to fork: running answers are not copied. */
const hasEnded = ({ exchanges }: Conversation): boolean =>
  exchanges.some(({ attempts }) => attempts.some(({ outcome }) => outcome !== undefined));

const isRunning = ({ exchanges }: Conversation): boolean =>
  exchanges.some(({ attempts }) => attempts.some(({ outcome }) => outcome === undefined));

/** Says why a conversation can't be changed or shown: it can't be read now, or another window has deleted it. */
export function tellAbsence(
  { isUnread }: Pick<Conversations, 'isUnread'>,
  { id, title }: Pick<Conversation, 'id' | 'title'>,
): void {
  const why = isUnread(id)
    ? t('The conversation can’t be read now. Try again later.')
    : t('“{0}” was deleted.', withoutLinks(title));
  void showWarning(why);
}

/** Deletes without a confirmation, because the notification offers to undo it. */
async function remove(conversations: Conversations, conversation: Conversation): Promise<void> {
  const wasBegun = isBegun(conversations, conversation);
  conversations.delete(conversation.id);
  if (!wasBegun) return;
  const undo = t('Undo');
  const message = t('“{0}” was deleted.', withoutLinks(conversation.title));
  if ((await showInformation(message, undo)) !== undo) return;
  conversations.restore(conversation.id);
  conversations.open(conversation.id);
}

function askTitle(conversation: Conversation): Thenable<string | undefined> {
  return askForInput({
    title: t('Rename Conversation'),
    prompt: t('Conversation title'),
    value: conversation.title,
    validateInput: (value) => (value.trim() === '' ? t('Enter a title.') : undefined),
  });
}
