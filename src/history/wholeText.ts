/**
 * Reads text of the user or the model, which can contain U+0000. Up to Node 24.11, `node:sqlite` returns text only up to this
 * character. So such text is read as bytes. JSON escapes the character, so records don't need this.
 */

/** The SQL for a column of text. `toWholeText` reads its value. */
export const asBytes = (column: string, name = column): string => `CAST(${column} AS BLOB) AS ${name}`;

/** The text of a column that was read with `asBytes`; undefined if there is none. */
export const toWholeText = (value: unknown): string | undefined =>
  value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString()
    : undefined;
