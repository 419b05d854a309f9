/** Finds and replaces the text that opens suggestions at the cursor: an `@` mention, or a `/` at the beginning. */

export interface Mention {
  readonly sign: '@' | '/';
  /** The offset of the sign. */
  readonly start: number;
  /** The text between the sign and the cursor. */
  readonly letters: string;
}

/**
 * The mention that is being written at the cursor. An `@` inside a word is part of an address and does not start one.
 */
export function mentionAt(text: string, cursor: number): Mention | undefined {
  const name = /^\/([^\s/]*)$/.exec(text.slice(0, cursor))?.[1];
  if (name !== undefined) return { sign: '/', start: 0, letters: name };
  const match = /(?:^|[\s([{"'`])@([^\s@]*)$/u.exec(text.slice(0, cursor));
  const letters = match?.[1];
  return letters === undefined ? undefined : { sign: '@', start: cursor - letters.length - 1, letters };
}

export interface Replaced {
  readonly text: string;
  readonly cursor: number;
}

/** Replaces a selection with an `@` that begins a mention. Adds a space before it, unless there is white space already. */
export function withAt(text: string, start: number, end: number): Replaced {
  const gap = start === 0 || /\s$/u.test(text.slice(0, start)) ? '' : ' ';
  const before = `${text.slice(0, start)}${gap}@`;
  return { text: before + text.slice(end), cursor: before.length };
}

/** Replaces the mention with a name, which stays in the text. */
export function replaceMention(
  text: string,
  { start, letters }: Pick<Mention, 'start' | 'letters'>,
  name: string,
): Replaced {
  const before = text.slice(0, start);
  const after = text.slice(start + 1 + letters.length);
  const gap = /^\s/u.test(after) ? '' : ' ';
  return { text: `${before}${name}${gap}${after}`, cursor: before.length + name.length + 1 };
}
