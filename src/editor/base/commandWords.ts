/** What a message gives the command that it names with `/`. */
export interface CommandWords {
  /** What is written behind the name; empty if nothing is. */
  readonly words: string;
}

/** The words in the argument of a command; undefined if no message has named it. */
export function wordsOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('words' in argument)) return undefined;
  return typeof argument.words === 'string' ? argument.words.trim() : undefined;
}
