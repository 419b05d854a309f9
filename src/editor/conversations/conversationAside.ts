/** Conversations that a command creates for its question alone (`createAside`). */
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
