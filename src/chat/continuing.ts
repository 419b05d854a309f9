import type { Question, Turn } from './turn.ts';

/**
 * The question that asks to continue the answer of a turn, in the same form as the question of the turn. It has no
 * context and no images of its own, because the earlier messages have them.
 */
export function toContinuingQuestion(
  { origin, purpose, revises, format, continues }: Question,
  { id, outcome }: Pick<Turn, 'id' | 'outcome'>,
  text: string,
): Question {
  // A complete answer isn't continued in the middle of its text, unless it was itself the rest of another one.
  const isPart = outcome !== 'complete' || continues !== undefined;
  return {
    text,
    images: [],
    origin,
    ...(purpose && { purpose }),
    ...(revises && { revises }),
    ...(format && { format }),
    ...(isPart && { continues: id }),
  };
}

/**
 * The question with another text. An edited question no longer asks for the rest of the answer before it. What the user
 * changes in the prompt of a command is what is asked from then on.
 */
export function toEditedQuestion({ continues, asked, ...question }: Question, text: string): Question {
  return { ...question, text, ...(asked !== undefined && text === question.text && { asked }) };
}
