/**
 * The command Restore Deleted Conversation. It lists deleted conversations, including those that other windows deleted and
 * those from before the last start.
 */
import * as vscode from 'vscode';
import type { History } from '../../history/history.ts';
import { KEPT_AFTER_DELETING_DAYS } from '../../history/purging.ts';
import type { DeletedConversation } from '../../history/removedRows.ts';
import { toStorageTrouble } from '../../history/sqlite.ts';
import { COMMIT_MESSAGE_PREFIX } from '../../panel/usage.ts';
import { showInformation, showWarning, withoutLinks } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { withoutIcons } from '../base/quickPicks.ts';
import { warnOfLock } from '../storage/lockedDatabase.ts';
import type { Conversations } from './conversationList.ts';

const t = vscode.l10n.t;

export interface RestoreCommandDeps {
  readonly conversations: Pick<Conversations, 'listDeleted' | 'deleted' | 'restore' | 'get'>;
  readonly history: Pick<History, 'listRemoved'> | undefined;
}

/** Lists the deleted conversations, and restores the one that the user selects. */
export async function restoreConversation({ conversations, history }: RestoreCommandDeps): Promise<void> {
  const deleted = conversations.listDeleted().filter(isOfUser);
  if (deleted.length === 0) return sayNothing(history);
  const chosen = await vscode.window.showQuickPick(deleted.map(toItem), {
    title: t('Restore Deleted Conversation'),
    placeHolder: t('Select the conversation to restore'),
    matchOnDescription: true,
  });
  if (chosen !== undefined) await restore(conversations, chosen.conversation);
}

/**
 * Whether the user has deleted a conversation. The conversation of a commit message is deleted by its command. Then it has
 * no title by the user and only one question.
 */
const isOfUser = ({ id, named, questions }: DeletedConversation) =>
  named || questions > 1 || !id.startsWith(COMMIT_MESSAGE_PREFIX);

function sayNothing(history: RestoreCommandDeps['history']): void {
  try {
    history?.listRemoved();
  } catch (error) {
    if (toStorageTrouble(error) === 'busy') {
      warnOfLock();
      return;
    }
  }
  const text = t(
    '{0, plural, one {There is nothing to restore. Deleted conversations are kept for # day.} other {There is nothing to restore. Deleted conversations are kept for # days.}}',
  );
  void showInformation(plural(text, KEPT_AFTER_DELETING_DAYS));
}

/**
 * Restores a conversation. While the list was open, another window may have restored it, which is harmless, or deleted it
 * permanently.
 */
async function restore(
  conversations: RestoreCommandDeps['conversations'],
  { id, title }: DeletedConversation,
): Promise<void> {
  conversations.restore(id);
  if (conversations.get(id) !== undefined) {
    await vscode.commands.executeCommand('k3.focusChat', id);
    return;
  }
  const name = withoutLinks(title);
  void showWarning(
    conversations.deleted(id) === undefined
      ? t('“{0}” can’t be restored because it was deleted permanently.', name)
      : t('“{0}” can’t be restored now. To see why, run “K3: Show Log”.', name),
  );
}

interface DeletedItem extends vscode.QuickPickItem {
  readonly conversation: DeletedConversation;
}

function toItem(conversation: DeletedConversation): DeletedItem {
  const { title, workspace, deletedAt, questions } = conversation;
  const time = new Date(deletedAt).toLocaleString(vscode.env.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const messages = plural(t('{0, plural, one {# message} other {# messages}}'), questions);
  return {
    label: withoutIcons(title),
    description: [t('deleted {0}', time), ...(questions > 0 ? [messages] : [])].join(' · '),
    ...(workspace !== undefined && { detail: withoutIcons(workspace) }),
    conversation,
  };
}
