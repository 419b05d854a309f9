/** The conversation of the day, which keeps the answers to other chats. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { newestOf } from '../../conversation/otherChats/otherMessages.ts';
import { OTHER_CHATS_PREFIX } from '../../conversation/recalledQuestions.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { OtherRequest } from '../../requests/otherChatRequest.ts';
import type { Conversations } from '../conversations/conversationList.ts';

export type KeptChatsConversations = Pick<
  Conversations,
  'list' | 'get' | 'isRunning' | 'holder' | 'createAside' | 'append'
>;

/** Adds an ended turn to the conversation of the day, whatever its outcome, so that its cost is recorded. */
export function keepAnswer(
  conversations: KeptChatsConversations,
  { messages }: Pick<OtherRequest, 'messages'>,
  turn: Turn,
): void {
  const day = new Date(turn.startedAt).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
  const title = vscode.l10n.t('Other chats, {0}', day);
  // Excludes a conversation that is running, here or in another window.
  const found = conversations
    .list()
    .find(
      (one) =>
        one.title === title &&
        conversations.get(one.id) !== undefined &&
        !conversations.isRunning(one.id) &&
        conversations.holder(one.id) === undefined,
    );
  const question = { text: newestOf(messages), images: [], origin: undefined };
  const kept: Turn = { ...turn, request: { ...turn.request, otherChat: true } };
  const exchange = { id: randomUUID(), question, attempts: [kept], shown: 0 };
  // Another window may have deleted the conversation, which this window may not know yet.
  const isAdded = found !== undefined && conversations.append(found.id, exchange);
  if (!isAdded) conversations.append(conversations.createAside(title, OTHER_CHATS_PREFIX).id, exchange);
}
