/** Whether a conversation has something that the user has not sent yet. */
import type { ConversationStore } from '../../history/conversationStore.ts';

export type UnsentParts = Pick<ConversationStore, 'draft' | 'queue' | 'unsent'>;

/** A draft, a queued message, an attachment, or an edited question. */
export function hasUnsent({ draft, queue, unsent }: UnsentParts, id: string): boolean {
  if (draft(id) !== '' || queue(id).length > 0) return true;
  const { images, context, editing, otherEdits } = unsent(id);
  return images.length > 0 || context.length > 0 || editing !== undefined || otherEdits.length > 0;
}
