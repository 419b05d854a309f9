/** An `@` with letters after it, at the cursor, and what stands there once something is chosen. */

export interface Mention {
  /** Where the `@` stands. */
  readonly start: number;
  /** What stands between it and the cursor. */
  readonly letters: string;
}

/** The mention that is being written. An `@` within a word is part of an address, not the beginning of one. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
  const match = /(?:^|[\s([{"'`])@([^\s@]*)$/u.exec(text.slice(0, cursor));
  const letters = match?.[1];
  return letters === undefined ? undefined : { start: cursor - letters.length - 1, letters };
}

export interface Replaced {
  readonly text: string;
  readonly cursor: number;
}

/** The text with a name in place of the mention, or with nothing when it says nothing else: then what it carries says all. */
export function replaceMention(text: string, { start, letters }: Mention, name: string): Replaced {
  const before = text.slice(0, start);
  const after = text.slice(start + 1 + letters.length);
  if (before.trim() === '' && after.trim() === '') return { text: '', cursor: 0 };
  const gap = /^\s/u.test(after) ? '' : ' ';
  return { text: `${before}${name}${gap}${after}`, cursor: before.length + name.length + 1 };
}
