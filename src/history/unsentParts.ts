/** Finds out whether a conversation has any content, and whether it has unsent parts. */
import type { Conversation } from '../conversation/conversation.ts';
import type { Pending } from './pendingStore.ts';
import type { UnsentStore } from './unsentStore.ts';

export type UnsentParts = Pick<Pending, 'draft' | 'queue'> & Pick<UnsentStore, 'unsent'>;

/** Whether a conversation has a draft, a queued message, an attachment, or an edited question. */
export function hasUnsent({ draft, queue, unsent }: UnsentParts, id: string): boolean {
  if (draft(id) !== '' || queue(id).length > 0) return true;
  const { images, context, editing, otherEdits } = unsent(id);
  return images.length > 0 || context.length > 0 || editing !== undefined || otherEdits.length > 0;
}

/** Whether a conversation has a question, a title from the user, or a pin, so that all of it has to be stored. */
export const isSavedWhole = ({ exchanges, named, pinned }: Conversation): boolean =>
  exchanges.length > 0 || named || pinned;

/** Whether a conversation has any content of the user, and is listed therefore (`IS_LISTED` in `removedRows.ts`). */
export const isBegun = (parts: UnsentParts, conversation: Conversation): boolean =>
  isSavedWhole(conversation) || hasUnsent(parts, conversation.id);
