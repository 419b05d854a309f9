/** The conversations in memory, ordered by last use, the latest last. */
import type { Conversation } from '../conversation/conversation.ts';

/** Number of conversations that are kept in memory, and of deleted ones. */
export const MAX_OPEN = 20;

export interface OpenConversations {
  all(): readonly Conversation[];
  get(id: string): Conversation | undefined;
  has(id: string): boolean;
  /** Adds or replaces a conversation as the one that was used last. */
  use(conversation: Conversation): void;
  /** Adds or replaces a conversation, without a change of the order. */
  set(conversation: Conversation): void;
  delete(id: string): void;
  /** Sets which conversations chats show. They stay: what other windows change of others isn't told. */
  useShown(isShown: (id: string) => boolean): void;
  /** Drops the conversations that were not used for longest, down to `MAX_OPEN`, if they may be dropped. */
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
