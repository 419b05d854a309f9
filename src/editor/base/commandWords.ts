/** The argument of a command that a message names with `/`. */
export interface CommandWords {
  /** The text after the name; empty if there is none. */
  readonly words: string;
}

/** The text after the name of the command, trimmed; undefined if the command wasn't run by a message. */
export function wordsOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('words' in argument)) return undefined;
  return typeof argument.words === 'string' ? argument.words.trim() : undefined;
}
