/** Finds and replaces an `@` mention at the cursor. */

export interface Mention {
  /** The offset of the `@`. */
  readonly start: number;
  /** The text between the `@` and the cursor. */
  readonly letters: string;
}

/**
 * The mention that is being written at the cursor. An `@` inside a word is part of an address and does not start one.
 */
export function mentionAt(text: string, cursor: number): Mention | undefined {
  const match = /(?:^|[\s([{"'`])@([^\s@]*)$/u.exec(text.slice(0, cursor));
  const letters = match?.[1];
  return letters === undefined ? undefined : { start: cursor - letters.length - 1, letters };
}

export interface Replaced {
  readonly text: string;
  readonly cursor: number;
}

/** Replaces the mention with a name, which stays in the text. */
export function replaceMention(text: string, { start, letters }: Mention, name: string): Replaced {
  const before = text.slice(0, start);
  const after = text.slice(start + 1 + letters.length);
  const gap = /^\s/u.test(after) ? '' : ' ';
  return { text: `${before}${name}${gap}${after}`, cursor: before.length + name.length + 1 };
}
