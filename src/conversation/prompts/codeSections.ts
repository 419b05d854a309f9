/**
 * Finds the sections of a question about code. Its text can contain attached files and pasted text of any kind, so each line is
 * read only once.
 */

export interface Opening {
  /** The offset of the heading of the code. */
  readonly start: number;
  /** The heading up to the place of the code. */
  readonly words: string;
  /** The backticks that open the code. */
  readonly marks: string;
}

/** The text between a heading and its fence. */
const BLANKS = [':\n\n', ':\r\n\r\n', ':\n\r\n', ':\r\n\n'];

/**
 * The heading and the opening fence of the code at the end of a text, in a question or in a review. Undefined if the text doesn't
 * end in them.
 */
export function openingAtEnd(text: string): Opening | undefined {
  const fenceAt = text.lastIndexOf('\n') + 1;
  const marks = marksAt(text.slice(fenceAt));
  const blank = BLANKS.find((one) => text.endsWith(one, fenceAt));
  if (marks === undefined || text.includes('`', fenceAt + marks.length) || blank === undefined)
    return undefined;
  const end = fenceAt - blank.length;
  const lineAt = text.lastIndexOf('\n', end) + 1;
  const heading = /The code(?: as it is now)?, /.exec(text.slice(lineAt, end));
  return heading === null ? undefined : { start: lineAt + heading.index, words: heading[0], marks };
}

/** The offsets of the sections with the lines around the code, including the white space after them. */
export function orientationsIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const offsets = offsetsOf(text);
  const closings = closingsIn(lines);
  const found: { start: number; end: number }[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const heading = line.endsWith(':') && lines[at + 1] === '' ? line.indexOf('For orientation, ') : -1;
    const marks = heading === -1 ? undefined : marksAt(lines[at + 2] ?? '');
    const closing = marks === undefined ? undefined : takeAfter(closings.get(marks), at + 2);
    if (marks === undefined || closing === undefined) continue;
    BLANK.lastIndex = (offsets[closing] ?? 0) + marks.length;
    BLANK.test(text);
    found.push({ start: (offsets[at] ?? 0) + heading, end: BLANK.lastIndex });
    at = closing;
  }
  return found;
}

const BLANK = /\s*/y;

const marksAt = (line: string) => /^`{3,}/.exec(line)?.[0];

function offsetsOf(text: string): readonly number[] {
  const offsets = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) offsets.push(at + 1);
  return offsets;
}

/** The lines that can close a fence, by their backticks. The last line has nothing after it, so it closes none. */
function closingsIn(lines: readonly string[]): ReadonlyMap<string, number[]> {
  const closings = new Map<string, number[]>();
  for (const [at, line] of lines.slice(0, -1).entries()) {
    if (marksAt(line) !== line) continue;
    const known = closings.get(line);
    if (known === undefined) closings.set(line, [at]);
    else known.push(at);
  }
  for (const found of closings.values()) found.reverse();
  return closings;
}

/** Takes the next line after `before` from lines in reverse order. Earlier lines can't close a later fence either. */
function takeAfter(lines: number[] | undefined, before: number): number | undefined {
  let next = lines?.pop();
  while (next !== undefined && next <= before) next = lines?.pop();
  return next;
}
