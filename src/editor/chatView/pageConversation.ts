/** Which conversation a page shows, also while it can't be read. */

export interface PageConversation {
  id(): string;
  /** The one that was opened and can't be read yet; undefined when that is the one that is shown. */
  opened(): string | undefined;
  /** Another one is opened on the page. */
  open(id: string): void;
  /** The page shows this one now, which can be another one than was opened. */
  shown(id: string): void;
  /** The user has written, attached, or asked something in the one that is shown, and did so here, as far as is known. */
  used(): void;
  /**
   * Goes back to the one that was opened if it can be read now, unless the user has begun the one that is shown instead of it,
   * and did so here. All pages that can't read theirs show the same. Returns whether it is another one now.
   */
  resume(): boolean;
}

export interface PageConversationDeps {
  /** Whether a conversation could not be read when it was needed last. */
  isUnread(id: string): boolean;
  /** Whether a conversation is there, or can be restored. */
  isKnown(id: string): boolean;
  /** Whether a conversation has a question, or anything that the user has written or attached. */
  isBegun(id: string): boolean;
}

export function createPageConversation(first: string, deps: PageConversationDeps): PageConversation {
  let id = first;
  /** The one that was opened and can't be read yet. */
  let waiting: string | undefined;
  let isUsed = false;
  return {
    id: () => id,
    opened: () => waiting,
    open(next) {
      id = next;
      waiting = undefined;
      isUsed = false;
    },
    shown(next) {
      if (next !== id && deps.isUnread(id)) waiting ??= id;
      id = next;
    },
    used() {
      isUsed = true;
    },
    resume() {
      const next = waiting;
      const isKnown = next !== undefined && deps.isKnown(next);
      if (next !== undefined && !isKnown && deps.isUnread(next)) return false;
      waiting = undefined;
      if (!isKnown || (isUsed && deps.isBegun(id))) return false;
      id = next;
      return true;
    },
  };
}
