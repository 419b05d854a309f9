/** Which conversation a page shows, also while it can't be read because the database isn't open yet. */
import type { Conversation } from '../../conversation/conversation.ts';
import type { Composer } from '../composer/composerState.ts';

export interface PageConversation {
  id(): string;
  /** Another one is opened on the page. */
  open(id: string): void;
  /** The page shows this one now, which can be another one than was opened. */
  shown(id: string): void;
  /**
   * The database can be read now. Goes back to the one that was opened, unless the user has begun the one that is shown instead
   * of it. Returns whether it is another one now.
   */
  resume(): boolean;
}

export interface PageConversationDeps {
  /** Whether the database can be read. */
  isOpen(): boolean;
  /** Whether a conversation is there, or can be restored. */
  isKnown(id: string): boolean;
  /** Whether a conversation has a question, or anything that the user has written or attached. */
  isBegun(id: string): boolean;
}

export function createPageConversation(first: string, deps: PageConversationDeps): PageConversation {
  let id = first;
  /** The one that was opened and can't be read yet. */
  let waiting: string | undefined;
  return {
    id: () => id,
    open(next) {
      id = next;
      waiting = undefined;
    },
    shown(next) {
      if (next !== id && !deps.isOpen()) waiting ??= id;
      id = next;
    },
    resume() {
      const next = waiting;
      waiting = undefined;
      if (next === undefined || !deps.isKnown(next) || deps.isBegun(id)) return false;
      id = next;
      return true;
    },
  };
}

/** Whether a conversation has a question, or anything that the user has written or attached. */
export const isBegun = (
  conversation: Conversation | undefined,
  { draft, queue, attachments, context }: Pick<Composer, 'draft' | 'queue' | 'attachments' | 'context'>,
): boolean =>
  draft !== '' || [...(conversation?.exchanges ?? []), ...queue, ...attachments, ...context].length > 0;
