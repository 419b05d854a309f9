/** Questions that the user wrote, so that they can be asked again. */

import type { Conversation } from './conversation.ts';
import type { Question } from './question.ts';

/** The maximum number of questions that are offered again. */
export const MAX_RECALLED = 100;

/** The ids of conversations with questions from other chats begin with this. The user didn't write these questions here. */
export const OTHER_CHATS_PREFIX = 'others-';

/** The fields that show whether the user wrote a question in the message box. */
export type Recallable = Pick<Question, 'text' | 'asked' | 'origin' | 'purpose' | 'continues' | 'revises'>;

/** The questions of conversations that are in memory, the newest first. */
export function recallableIn(
  conversations: readonly Pick<Conversation, 'id' | 'exchanges'>[],
): readonly Recallable[] {
  return conversations
    .filter(({ id }) => !id.startsWith(OTHER_CHATS_PREFIX))
    .flatMap(({ exchanges }) => exchanges.map(({ question }) => question))
    .toReversed();
}

/** @param questions the newest first */
export function toRecalled(questions: readonly Recallable[]): readonly string[] {
  const texts = questions.map(toWritten).filter((text) => text !== undefined);
  return [...new Set(texts)].slice(0, MAX_RECALLED);
}

function toWritten({ text, asked, origin, purpose, continues, revises }: Recallable): string | undefined {
  if (origin !== undefined || (purpose ?? continues ?? revises) !== undefined) return undefined;
  // A prompt file is asked by its name. Any other question with a title comes from a command.
  if (asked !== undefined) return asked.startsWith('/') ? asked.replace(' · ', ' ') : undefined;
  return text.trim() === '' ? undefined : text;
}
