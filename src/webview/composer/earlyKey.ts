/** Handles Enter or Tab if it was pressed in the message box before the suggestions arrived. */

/** A key that was pressed before the results for a text arrived. */
export interface EarlyKey {
  readonly key: string;
  readonly text: string;
  readonly cursor: number;
}

export const toEarlyKey = ({ key }: KeyboardEvent, box: HTMLTextAreaElement | undefined): EarlyKey => ({
  key,
  text: box?.value ?? '',
  cursor: box?.selectionStart ?? 0,
});

/** The text that was typed at the cursor since the key was pressed; undefined if the text has changed in another way. */
export function typedBehind({ text, cursor }: EarlyKey, now: string): string | undefined {
  const [before, after] = [text.slice(0, cursor), text.slice(cursor)];
  const length = now.length - text.length;
  return length >= 0 && now.startsWith(before) && now.endsWith(after)
    ? now.slice(cursor, cursor + length)
    : undefined;
}
