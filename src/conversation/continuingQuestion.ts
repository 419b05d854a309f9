import type { Preset, Question } from './question.ts';
import { isOutOfRounds } from './rounds.ts';
import { typedWords, withTyped } from './shownQuestion.ts';
import type { Turn } from './turn.ts';

/**
 * The question that asks to continue the answer of a turn, in the same form as the question of the turn. It has no
 * context, no images, and no instruction of its own, because the earlier messages have them.
 */
export function toContinuingQuestion(
  question: Question,
  turn: Pick<Turn, 'id' | 'outcome' | 'rounds' | 'tries'>,
  text: string,
): Question {
  const { origin, purpose, revises, format, continues } = question;
  // A complete answer isn't continued in the middle of its text, unless it was itself the rest of another one. After the
  // last round of tools, there is no answer yet.
  const isPart = turn.outcome !== 'complete' || isOutOfRounds(turn) || continues !== undefined;
  return {
    text,
    images: [],
    origin,
    ...(purpose && { purpose }),
    ...(revises && { revises }),
    ...(format && { format }),
    // The user didn't write it.
    ...(isPart ? { continues: turn.id } : { asked: text }),
    ...limitsOf(question),
  };
}

/** Whether `toContinuingQuestion` made a question, so that the user wrote nothing of it. */
export const isContinuing = ({ text, asked, continues }: Pick<Question, 'text' | 'asked' | 'continues'>) =>
  continues !== undefined || asked === text;

type Limits = Pick<Question, 'effort' | 'tools' | 'preset'>;

/**
 * The limits of the answer to a question and of the answers to its follow-up questions: effort, tools, and preset. The preset is
 * without its instruction, which the earlier messages have.
 */
export const limitsOf = ({ effort, tools, preset }: Limits): Limits => ({
  ...(effort && { effort }),
  ...(tools && { tools }),
  ...(preset && { preset: withoutPrompt(preset) }),
});

const withoutPrompt = ({ prompt, ...others }: Preset): Preset => others;

/**
 * The question after the user edited it. It no longer asks for the rest of the answer before it. In the question of a command,
 * the user edits the typed words. If these words have no place in the prompt, the user edits the prompt, and the edited prompt is
 * sent.
 */
export function toEditedQuestion({ continues, ...edited }: Question, text: string): Question {
  const words = typedWords(edited);
  // A draft of an earlier version is the complete prompt.
  const isPrompt = words !== undefined && words.rest !== '' && plain(text).endsWith(plain(words.rest));
  if (words !== undefined && !isPrompt) return withTyped(edited, words, text);
  const { asked, ...question } = edited;
  return { ...question, text, ...(asked !== undefined && text === question.text && { asked }) };
}

const plain = (text: string) => text.replaceAll('\r\n', '\n');
