/**
 * A document as a list of lines, each with a tag of its own. A typed or changed line gets a new tag, so the tags show
 * which lines are still those of a proposal, without comparing texts.
 */

export interface Line {
  readonly tag: number;
  readonly text: string;
  /** Only the last line of a document can be without a line end. */
  readonly ended: boolean;
}

export type Lines = readonly Line[];
export type LineEnd = '\n' | '\r\n';

/** A replacement, in characters of the text before it. */
export interface Change {
  readonly offset: number;
  readonly removed: number;
  readonly inserted: string;
}

let lastTag = 0;

/** Lines with new tags. */
export const freshLines = (text: string): Lines =>
  (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => ({
    tag: ++lastTag,
    text: line.replace(/\r?\n$/, ''),
    ended: line.endsWith('\n'),
  }));

const lengthOf = ({ text, ended }: Line, end: LineEnd): number => text.length + (ended ? end.length : 0);

export const textOf = (lines: Lines, end: LineEnd): string =>
  lines.map(({ text, ended }) => text + (ended ? end : '')).join('');

/** The offset of each line, and the length of the text as the last one. */
export function startsOf(lines: Lines, end: LineEnd): readonly number[] {
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + lengthOf(line, end));
  return starts;
}

/**
 * Enter at the end of a line doesn't change the line, so it counts as typing lines below it. Deleting from the end of a
 * line to the end of another line also doesn't change the first line.
 */
function belowTheLine(text: string, change: Change, end: LineEnd): Change {
  const { offset, removed, inserted } = change;
  const lines =
    /(^|\n)$/.test(text.slice(0, offset)) && (text.slice(offset, offset + removed) + inserted).endsWith('\n');
  const between = !lines && text.startsWith(end, offset) && text.startsWith(end, offset + removed);
  if (between && removed === 0 && inserted.startsWith(end))
    return { offset: offset + end.length, removed, inserted: inserted.slice(end.length) + end };
  return between && inserted === '' ? { ...change, offset: offset + end.length } : change;
}

/** The lines after a change. Lines that it touches get new tags. */
export function withChange(lines: Lines, typed: Change, end: LineEnd): Lines {
  const text = textOf(lines, end);
  const { offset, removed, inserted } = belowTheLine(text, typed, end);
  const starts = startsOf(lines, end);
  const stop = offset + removed;
  const above = lines.filter((line, index) => line.ended && (starts[index + 1] ?? 0) <= offset);
  let below = lines.filter((_, index) => (starts[index] ?? 0) >= stop && index >= above.length);
  const belowFrom = (count: number) => starts[lines.length - count] ?? text.length;
  const middleTo = (to: number) =>
    text.slice(starts[above.length] ?? 0, offset) + inserted + text.slice(stop, to);
  let middle = middleTo(belowFrom(below.length));
  if (middle !== '' && !middle.endsWith('\n') && below.length > 0) {
    below = below.slice(1);
    middle = middleTo(belowFrom(below.length));
  }
  return [...above, ...freshLines(middle), ...below];
}

/** Replaces `count` lines by others. The last line of the document keeps its line end, or none. */
export function withSplice(lines: Lines, at: number, count: number, added: Lines): Lines {
  const next = [...lines.slice(0, at), ...added, ...lines.slice(at + count)];
  const all = next.map((line, index) => {
    const ended = index < next.length - 1 || (lines.at(-1)?.ended ?? true);
    if (line.ended === ended) return line;
    // Adding or removing a line end is a change of the line.
    return { text: line.text, ended, tag: ++lastTag };
  });
  // An empty text below the last line end is no line.
  return all.filter(({ text, ended }) => text !== '' || ended);
}
