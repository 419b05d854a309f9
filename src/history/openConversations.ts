/** Holds the conversations in memory, ordered by last use, the latest last. */
import type { Conversation } from '../conversation/conversation.ts';

/** The number of conversations to keep in memory. The same number applies to deleted ones. */
export const MAX_OPEN = 20;

export interface OpenConversations {
  all(): readonly Conversation[];
  get(id: string): Conversation | undefined;
  has(id: string): boolean;
  /** Adds or replaces a conversation and marks it as the one that was used last. */
  use(conversation: Conversation): void;
  /** Adds or replaces a conversation, without a change of the order. */
  set(conversation: Conversation): void;
  delete(id: string): void;
  /**
   * Sets a function that says which conversations are shown in chats. These stay in memory, because changes by other windows are
   * reported only for conversations in memory.
   */
  useShown(isShown: (id: string) => boolean): void;
  /** Drops the least recently used conversations that may be dropped, down to `MAX_OPEN`. */
  trim(mayDrop: (conversation: Conversation) => boolean): void;
}

export function createOpenConversations(): OpenConversations {
  const memory = new Map<string, Conversation>();
  let isShown = (_id: string): boolean => false;
  return {
    all: () => [...memory.values()],
    get: (id) => memory.get(id),
    has: (id) => memory.has(id),
    use(conversation) {
      memory.delete(conversation.id);
      memory.set(conversation.id, conversation);
    },
    set: (conversation) => void memory.set(conversation.id, conversation),
    delete: (id) => void memory.delete(id),
    useShown(next) {
      isShown = next;
    },
    trim(mayDrop) {
      for (const [id, conversation] of memory) {
        if (memory.size <= MAX_OPEN) break;
        if (!isShown(id) && mayDrop(conversation)) memory.delete(id);
      }
    },
  };
}
