import type { Conversations } from './conversationList.ts';

/** Whether a question can be asked in a conversation now: no answer runs in it in any window, and it isn't deleted. */
export function isFree(
  conversations: Pick<Conversations, 'get' | 'isRunning' | 'holder'>,
  conversationId: string,
): boolean {
  if (conversations.isRunning(conversationId) || conversations.holder(conversationId) !== undefined)
    return false;
  return conversations.get(conversationId) !== undefined;
}
