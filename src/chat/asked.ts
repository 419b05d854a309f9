/** What the user asked, as it is shown. A command makes a prompt of it, which is sent. */
import type { Question } from './turn.ts';

/**
 * A question of a command in the user's words.
 *
 * @param title the command's title, in the display language
 * @param typed what the user entered; empty if nothing was asked for
 */
export function toAsked(title: string, typed: string): string {
  const words = typed.trim();
  return words === '' ? title : `${title} · ${words}`;
}

/** The text of a question as it is shown: what was asked, or the text itself. */
export function shownTextOf({ asked, text }: Pick<Question, 'asked' | 'text'>): string {
  return asked ?? text;
}

/** The first line of a question as it is shown. Empty if it has only images or context. */
export function firstLineOf(question: Pick<Question, 'asked' | 'text'>): string {
  return shownTextOf(question).trim().split('\n', 1)[0]?.trim() ?? '';
}
