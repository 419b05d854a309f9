/** Tracks changes of titles and pins that this window couldn't write yet. The rest of a header is as it is stored. */
import type { Conversation } from '../conversation/conversation.ts';

export interface HeaderChanges {
  /** Notes what a change does to the title and the pin. Returns whether it changes one of them. */
  note(before: Conversation | undefined, after: Conversation): boolean;
  /** The conversation with the title and pin that another window has stored since, unless this window has changed them. */
  merge(own: Conversation, stored: Conversation): Conversation;
  /** Notes that the header was written. */
  forget(id: string): void;
}

/** Whether a window changed the title or the pin. */
interface HeaderChange {
  readonly renamed: boolean;
  readonly pinned: boolean;
}

const UNCHANGED: HeaderChange = { renamed: false, pinned: false };

export function createHeaderChanges(): HeaderChanges {
  const changes = new Map<string, HeaderChange>();
  const changeOf = (id: string) => changes.get(id) ?? UNCHANGED;
  return {
    note(before, after) {
      const own = changeOf(after.id);
      const now = toHeaderChange(before, after);
      changes.set(after.id, { renamed: now.renamed || own.renamed, pinned: now.pinned || own.pinned });
      return now.renamed || now.pinned;
    },
    merge: (own, stored) => withHeader(own, stored, changeOf(own.id)),
    forget: (id) => void changes.delete(id),
  };
}

/** How a conversation's header changes. A new conversation has no change: if it is stored, another window can have changed its header. */
function toHeaderChange(before: Conversation | undefined, after: Conversation): HeaderChange {
  return {
    renamed: before !== undefined && (after.title !== before.title || after.named !== before.named),
    pinned: before !== undefined && after.pinned !== before.pinned,
  };
}

/** A conversation with the stored title and pin, each unless this window has changed it. */
function withHeader(changed: Conversation, stored: Conversation, own: HeaderChange): Conversation {
  const { title, named } = own.renamed ? changed : stored;
  const { pinned } = own.pinned ? changed : stored;
  return { ...changed, title, named, pinned };
}
