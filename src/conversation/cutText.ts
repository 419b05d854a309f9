import type { TextLines } from './context/relocation.ts';

/** The first characters of a text. `length` is in UTF-16 code units. Doesn't split a surrogate pair. */
export function cutText(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** A text of at most `longest` UTF-16 code units. A longer one is cut off and ends with “…”. */
export const shorten = (text: string, longest: number): string =>
  text.length <= longest ? text : `${cutText(text, longest - 1).trimEnd()}…`;

/** The last characters of a text. `length` is in UTF-16 code units. Doesn't split a surrogate pair. */
export const cutStart = (text: string, length: number): string =>
  text.slice(-length).replace(/^[\udc00-\udfff]/, '');

/**
 * The start of a text, in complete lines if possible, and the number of all lines if the text was cut. `length` is in UTF-16 code
 * units.
 */
export function cutLines(
  text: string,
  length: number,
): { readonly text: string; readonly linesInAll?: number } {
  if (text.length <= length) return { text };
  const end = text.lastIndexOf('\n', length - 1);
  return { text: end === -1 ? cutText(text, length) : text.slice(0, end + 1), linesInAll: countLines(text) };
}

/** The same for a document. Reads only the lines at the start, and the last line if the text was cut. */
export function cutTextLines(
  { count, at }: TextLines,
  length: number,
): { readonly text: string; readonly linesInAll?: number } {
  const start: string[] = [];
  let size = -1;
  while (start.length < count && size <= length) {
    const line = at(start.length);
    start.push(line);
    size += line.length + 1;
  }
  const cut = cutLines(start.join('\n'), length);
  if (cut.linesInAll === undefined) return cut;
  return { ...cut, linesInAll: at(count - 1) === '' ? count - 1 : count };
}

function countLines(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** The last line that has a letter or a digit, without white space around it. A line longer than `length` is cut at its beginning. */
export function lastLineOf(text: string, length: number): string {
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (/[\p{L}\p{N}]/u.test(line)) return line.length <= length ? line : `…${cutStart(line, length)}`;
    end = start - 1;
  }
  return '';
}
