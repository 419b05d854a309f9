/** Whether a conversation has anything in it, and whether it has something that is not sent yet. */
import type { Conversation } from '../conversation/conversation.ts';
import type { Pending } from './pendingStore.ts';
import type { UnsentStore } from './unsentStore.ts';

export type UnsentParts = Pick<Pending, 'draft' | 'queue'> & Pick<UnsentStore, 'unsent'>;

/** A draft, a queued message, an attachment, or an edited question. */
export function hasUnsent({ draft, queue, unsent }: UnsentParts, id: string): boolean {
  if (draft(id) !== '' || queue(id).length > 0) return true;
  const { images, context, editing, otherEdits } = unsent(id);
  return images.length > 0 || context.length > 0 || editing !== undefined || otherEdits.length > 0;
}

/** Whether a conversation has something besides what isn't sent: a question, a title of the user, or a pin. */
export const isSavedWhole = ({ exchanges, named, pinned }: Conversation): boolean =>
  exchanges.length > 0 || named || pinned;

/** Whether there is anything of the user in a conversation. Such ones are listed (`IS_LISTED` of `removedRows.ts`). */
export const isBegun = (parts: UnsentParts, conversation: Conversation): boolean =>
  isSavedWhole(conversation) || hasUnsent(parts, conversation.id);
