/** Conversations that a command creates only for its question (`createAside`). */
import { hasUnsent } from '../../history/unsentParts.ts';
import type { Conversations } from './conversationList.ts';

/**
 * Waits for the work of preparing or asking a question in such a conversation. If that fails, the conversation is deleted,
 * because the user doesn't know about it.
 *
 * @param id undefined for a conversation that existed before
 */
export async function orDeleteAside<T>(
  conversations: Pick<Conversations, 'delete'>,
  id: string | undefined,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (id !== undefined) conversations.delete(id, false);
    throw error;
  }
}

/**
 * Whether the user has opened such a conversation meanwhile, wants to keep it, or has written something in it, which could
 * not be restored.
 *
 * @param given the title that the command gave the conversation
 */
export function isAsideUsed(
  conversations: Pick<Conversations, 'get' | 'current' | 'isShown' | 'draft' | 'queue' | 'unsent'>,
  id: string,
  given: string,
): boolean {
  const { exchanges = [], title = given, pinned = false } = conversations.get(id) ?? {};
  const isShown = conversations.current().id === id || conversations.isShown(id);
  return isShown || pinned || title !== given || exchanges.length > 1 || hasUnsent(conversations, id);
}
