/** Questions that are shown as requests before a command asks them. */

import { type Conversation, createConversation } from '../../conversation/conversation.ts';
import type { Question } from '../../conversation/question.ts';
import type { Conversations } from './conversationList.ts';
import { isFree } from './freeConversation.ts';

/** A question, and the conversation that it would be asked in. */
export interface Previewed {
  readonly conversation: Conversation;
  readonly question: Question;
  /** The number of requests, of which this is the first; one by default. */
  readonly requests?: number;
  /** It would be asked without the instructions of the project. */
  readonly leavesOut?: boolean;
}

/** A command whose request can be shown. */
export interface Preview {
  /** The title of the command. */
  readonly title: string;
  /** The command, if a message can name it. */
  readonly command?: string;
  /**
   * What it would ask now. Undefined if it would ask nothing; the user knows why then.
   *
   * @param words those of the message that names it
   */
  make(words?: string): Promise<Previewed | undefined>;
}

/** A room with commands whose requests can be shown. What makes them is loaded when they are listed. */
export interface WithPreviews {
  previews(): Promise<readonly Preview[]>;
}

/** Those of all rooms, in their order. */
export const previewsOf = async (rooms: readonly WithPreviews[]): Promise<readonly Preview[]> =>
  (await Promise.all(rooms.map((room) => room.previews()))).flat();

/** The conversation that a command asks in (`freeConversation`), without creating it. */
export function nextConversation(
  conversations: Pick<Conversations, 'front' | 'get' | 'isRunning' | 'holder'>,
): Conversation {
  const open = conversations.front();
  return isFree(conversations, open.id) ? open : newConversation();
}

/** Nothing is created for a look. The id is only sent as the cache key. */
export const newConversation = (): Conversation =>
  createConversation('new-conversation', Date.now(), '', undefined);
