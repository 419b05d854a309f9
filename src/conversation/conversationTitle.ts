/** The title of a conversation, unless the user has entered one. */
import { type Conversation, type Exchange, shownTurn } from './conversation.ts';
import { shorten } from './cutText.ts';
import type { Question } from './question.ts';
import { firstLineOf } from './shownQuestion.ts';

/**
 * The title of a conversation to which an exchange is added: that of its first question, or of a later one as long as no question
 * was answered.
 */
export function titleWith(
  { named, title, exchanges }: Conversation,
  { id, question }: Exchange,
  untitled: string,
): string {
  const isNew = exchanges.every((exchange) => exchange.id !== id);
  // The user didn't write a question that continues an answer.
  const isWritten = question.continues === undefined;
  return !named && isNew && isWritten && exchanges.every(isUnanswered)
    ? toConversationTitle(question, untitled)
    : title;
}

function isUnanswered(exchange: Exchange): boolean {
  const turn = shownTurn(exchange);
  return turn === undefined || turn.outcome === 'failed';
}

/** In UTF-16 code units. */
export const MAX_TITLE_LENGTH = 60;

/** The first line of a question, as the title of a conversation. */
export function toConversationTitle(
  question: Pick<Question, 'asked' | 'text' | 'images' | 'context'>,
  untitled: string,
): string {
  const line = firstLineOf(question);
  if (line === '') return question.images[0]?.name ?? question.context?.[0]?.label ?? untitled;
  return shorten(line, MAX_TITLE_LENGTH);
}
