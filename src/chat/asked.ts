/** What the user asked, as it is shown. A command makes a prompt of it, which is sent. */
import { openingOf } from './codePrompts.ts';
import type { Question } from './turn.ts';

const SEPARATOR = ' · ';

/**
 * A question of a command in the user's words.
 *
 * @param title the command's title, in the display language
 * @param typed what the user entered; empty if nothing was asked for
 */
export function toAsked(title: string, typed: string): string {
  const words = typed.trim();
  return words === '' ? title : `${title}${SEPARATOR}${words}`;
}

/** What the user typed for a command, and its place in the prompt that the command made. */
export interface TypedWords {
  /** The command's title. */
  readonly title: string;
  /** Empty if nothing was typed. */
  readonly typed: string;
  /** What the command says before these words. If it is empty, something has to be typed. */
  readonly opening: string;
  /** The prompt after these words. */
  readonly rest: string;
}

/** Undefined if no command made the question, or if its prompt doesn't have the words in one place. */
export function typedWords({ asked, text }: Pick<Question, 'asked' | 'text'>): TypedWords | undefined {
  if (asked === undefined) return undefined;
  const at = asked.includes(SEPARATOR) ? asked.indexOf(SEPARATOR) : asked.length;
  const [title, typed] = [asked.slice(0, at), asked.slice(at + SEPARATOR.length)];
  for (const opening of new Set([openingOf(text), ''])) {
    const head = joined(opening, typed);
    const rest = text.slice(head.length);
    if (head !== '' && text.startsWith(head) && (rest === '' || rest.startsWith('\n\n')))
      return { title, typed, opening, rest };
  }
  return undefined;
}

/** The question of a command with other words of the user. The prompt is made of them as the command would. */
export function withTyped<Asked extends Pick<Question, 'asked' | 'text'>>(
  question: Asked,
  { title, opening, rest }: TypedWords,
  typed: string,
): Asked {
  return { ...question, text: joined(opening, typed.trim()) + rest, asked: toAsked(title, typed) };
}

const joined = (opening: string, typed: string) => [opening, typed].filter((words) => words !== '').join(' ');

/** The text of a question as it is shown: what was asked, or the text itself. */
export function shownTextOf({ asked, text }: Pick<Question, 'asked' | 'text'>): string {
  return asked ?? text;
}

/** The first line of a question as it is shown. Empty if it has only images or context. */
export function firstLineOf(question: Pick<Question, 'asked' | 'text'>): string {
  return shownTextOf(question).trim().split('\n', 1)[0]?.trim() ?? '';
}
