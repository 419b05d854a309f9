/** Questions of commands whose requests are shown before they are asked. */

import { type Conversation, createConversation } from '../../conversation/conversation.ts';
import type { Question } from '../../conversation/question.ts';
import type { Conversations } from './conversationList.ts';
import { isFree } from './freeConversation.ts';

/** A question, and the conversation that it would be asked in. */
export interface Previewed {
  readonly conversation: Conversation;
  readonly question: Question;
  /** The number of requests. The question is for the first of them. By default one. */
  readonly requests?: number;
  /** Whether it would be asked without the instructions of the project. */
  readonly leavesOut?: boolean;
}

/** A command whose request can be shown. */
export interface Preview {
  /** The title of the command. */
  readonly title: string;
  /** The command, if a message can name it. */
  readonly command?: string;
  /**
   * The question that the command would ask now. Undefined if it would ask nothing; then the user knows why.
   *
   * @param words the words of the message that names the command
   */
  make(words?: string): Promise<Previewed | undefined>;
}

/** A room with commands whose requests can be shown. The code that makes them is loaded when they are listed. */
export interface WithPreviews {
  previews(): Promise<readonly Preview[]>;
}

/** The previews of all rooms, in their order. */
export const previewsOf = async (rooms: readonly WithPreviews[]): Promise<readonly Preview[]> =>
  (await Promise.all(rooms.map((room) => room.previews()))).flat();

/** The conversation that a command asks in (`freeConversation`), without creating it. */
export function nextConversation(
  conversations: Pick<Conversations, 'front' | 'get' | 'isRunning' | 'holder'>,
): Conversation {
  const open = conversations.front();
  return isFree(conversations, open.id) ? open : newConversation();
}

/** A conversation for a preview, which isn't stored. The id is only sent as the cache key. */
export const newConversation = (): Conversation =>
  createConversation('new-conversation', Date.now(), '', undefined);
