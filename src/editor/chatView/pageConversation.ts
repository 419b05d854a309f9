/** Which conversation a page shows, and which one was opened on it if that can't be read yet. */

export interface PageConversation {
  id(): string;
  /** The opened conversation, if it can't be read yet and another one is shown; otherwise undefined. */
  opened(): string | undefined;
  /** Another conversation is opened on the page. */
  open(id: string): void;
  /** The page shows this conversation now, which may not be the one that was opened. */
  shown(id: string): void;
  /** The user has written, attached, or asked something in the shown conversation and, as far as is known, on this page. */
  used(): void;
  /**
   * Returns to the opened conversation if it can be read now, unless the user has begun the conversation that is shown in
   * its place, and on this page: all pages that can't read their conversation show the same one. Returns whether the page
   * shows another conversation now.
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
  /** The opened conversation, while it can't be read. */
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
