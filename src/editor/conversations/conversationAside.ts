/** Conversations that a command creates for its question alone (`createAside`). */
import { hasUnsent } from '../../history/unsentParts.ts';
import type { Conversations } from './conversationList.ts';

/**
 * What is prepared or asked in such a conversation. If that fails, nobody knows the conversation, so it is deleted.
 *
 * @param id undefined for a conversation that was there before
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
 * Somebody may have opened such a conversation meanwhile, or want to keep it, and may have written something in it, which could not be
 * restored.
 *
 * @param given the title that the command gave it
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
