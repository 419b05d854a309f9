import type { Conversations } from './conversationList.ts';

/** Whether a turn runs in a conversation, but in another window. */
export const runsElsewhere = (
  { isRunning, holder }: Pick<Conversations, 'isRunning' | 'holder'>,
  conversationId: string,
): boolean => !isRunning(conversationId) && holder(conversationId) !== undefined;

/** Whether a question can be asked in a conversation now: no answer runs in it in any window, and it isn't deleted. */
export function isFree(
  conversations: Pick<Conversations, 'get' | 'isRunning' | 'holder'>,
  conversationId: string,
): boolean {
  if (conversations.isRunning(conversationId) || conversations.holder(conversationId) !== undefined)
    return false;
  return conversations.get(conversationId) !== undefined;
}

/**
 * The conversation in which a command asks, so that it doesn't wait for a running answer: that of the chat in front or, if
 * no question can be asked there now, a new one in the side bar.
 *
 * @param wanted another conversation than that of the chat in front
 */
export function freeConversation(
  conversations: Pick<Conversations, 'front' | 'get' | 'create' | 'isRunning' | 'holder'>,
  wanted = conversations.front().id,
): string {
  return isFree(conversations, wanted) ? wanted : conversations.create().id;
}
