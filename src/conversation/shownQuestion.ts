/** The user's question as it is shown. A command makes a prompt of it, and the prompt is sent. */
import { openingOf } from './prompts/codePrompts.ts';
import { remarksIn, withRemarks } from './prompts/reviewRemarks.ts';
import type { Question } from './question.ts';

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

/** The text that the user typed for a command, and the prompt that the command makes of it. */
export interface TypedWords {
  /** The command's title. */
  readonly title: string;
  /** Empty if nothing was typed. */
  readonly typed: string;
  /** The prompt has words of its own, so nothing has to be typed. */
  readonly mayBeEmpty: boolean;
  /** Returns the prompt with other words of the user. */
  toPrompt(typed: string): string;
  /** The text after the words in the prompt. */
  readonly rest: string;
}

/** Undefined if no command made the question, or if its prompt doesn't have the words. */
export function typedWords({ asked, text }: Pick<Question, 'asked' | 'text'>): TypedWords | undefined {
  if (asked === undefined) return undefined;
  const at = asked.includes(SEPARATOR) ? asked.indexOf(SEPARATOR) : asked.length;
  const [title, typed] = [asked.slice(0, at), asked.slice(at + SEPARATOR.length)];
  for (const opening of new Set([openingOf(text), ''])) {
    const head = joined(opening, typed);
    const rest = text.slice(head.length);
    if (head === '' || !text.startsWith(head) || (rest !== '' && !rest.startsWith('\n\n'))) continue;
    const toPrompt = (words: string) => joined(opening, words.trim()) + rest;
    return { title, typed, mayBeEmpty: opening !== '', toPrompt, rest };
  }
  const remarks = typed === '' ? undefined : remarksIn(text, typed);
  const last = remarks?.at(-1);
  if (remarks === undefined || last === undefined) return undefined;
  const toPrompt = (words: string) => withRemarks(text, remarks, words);
  return { title, typed, mayBeEmpty: false, toPrompt, rest: text.slice(last.textEnd) };
}

/** The question of a command with other words of the user. The prompt is made of them in the same way as by the command. */
export function withTyped<Asked extends Pick<Question, 'asked' | 'text'>>(
  question: Asked,
  { title, toPrompt }: Pick<TypedWords, 'title' | 'toPrompt'>,
  typed: string,
): Asked {
  const words = typed.replaceAll('\r\n', '\n');
  return { ...question, text: toPrompt(words), asked: toAsked(title, words) };
}

/** The question of a command in which nothing was typed yet, with these words of the user. */
export function withWords<Asked extends Pick<Question, 'asked' | 'text'>>(
  question: Asked,
  words: string,
): Asked {
  const place = words.trim() === '' ? undefined : typedWords(question);
  return place === undefined ? question : withTyped(question, place, words);
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
