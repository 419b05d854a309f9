/** Computes the hunks between two versions of a text: complete lines, byte for byte. */
import { diffArrays } from 'diff';
import { findConflicts } from '../../text/conflicts.ts';

/** Deleted lines, and the lines that replace them. */
export interface Hunk {
  readonly id: string;
  /** Position in the text before: offset in characters, and line counted from 0. */
  readonly offset: number;
  readonly line: number;
  /** The original lines with their line ends. If lines are only added, the line above them, as an anchor. */
  readonly before: string;
  /** The proposed lines. */
  readonly after: string;
  /** Number of characters of the unchanged line above at the start of `before` and `after`; 0 if the hunk has none. */
  readonly lead: number;
}

/**
 * The time limit of a comparison, in milliseconds. After it, the text is treated as one hunk. A text of 100,000 different lines can
 * take this long.
 */
const TIMEOUT_MS = 1500;

/** The lines of a text with their line ends, including a last line without one. */
export function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The hunks between two texts, from the top. Accepting all of them gives `after`, accepting none `before`. */
export function toHunks(before: string, after: string): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let offset = 0;
  let line = 0;
  let lineAbove = '';
  for (const { from, to } of joinInConflicts(before, diffLines(before, after))) {
    if (from !== to) hunks.push(toHunk(String(hunks.length), offset, line, lineAbove, from, to));
    offset += from.length;
    const lines = toLines(from);
    line += lines.length;
    // At the next hunk, this is an unchanged line, because there is always one between two hunks.
    lineAbove = lines.at(-1) ?? '';
  }
  return hunks;
}

function toHunk(
  id: string,
  offset: number,
  line: number,
  lineAbove: string,
  before: string,
  after: string,
): Hunk {
  if (before !== '' || lineAbove === '') return { id, offset, line, before, after, lead: 0 };
  return {
    id,
    offset: offset - lineAbove.length,
    line: line - 1,
    before: lineAbove,
    after: lineAbove + after,
    lead: lineAbove.length,
  };
}

interface Stretch {
  readonly from: string;
  readonly to: string;
}

/** Two texts as ranges of lines that are the same in both, and ranges that differ. */
export function diffLines(before: string, after: string): readonly Stretch[] {
  const changes = diffArrays(toLines(before), toLines(after), { timeout: TIMEOUT_MS });
  if (changes === undefined) return [{ from: before, to: after }];
  const stretches: Stretch[] = [];
  let from = '';
  let to = '';
  const flush = () => {
    if (from !== '' || to !== '') stretches.push({ from, to });
    from = '';
    to = '';
  };
  for (const { value, added, removed } of changes) {
    const text = value.join('');
    if (removed) from += text;
    else if (added) to += text;
    else {
      flush();
      stretches.push({ from: text, to: text });
    }
  }
  flush();
  return stretches;
}

/**
 * Joins all changes in a merge conflict whose first or last marker is removed: accepting only some of them would leave only some of
 * the markers in the file.
 */
function joinInConflicts(before: string, stretches: readonly Stretch[]): readonly Stretch[] {
  if (!before.includes('<<<<<<<')) return stretches;
  const all = beginAtMarkers(stretches);
  const starts = toStarts(all);
  const changesIn = (from: number, to: number): readonly number[] => {
    const [first, last] = [countUpTo(starts, from) - 1, Math.min(countUpTo(starts, to), all.length) - 1];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at).filter((at) =>
      isChange(all[at]),
    );
  };
  const joined: { readonly first: number; last: number }[] = [];
  // In this file, only a line feed ends a line.
  for (const { startLine, endLine } of findConflicts(before.replace(/\r(?!\n)/g, ' '))) {
    if (changesIn(startLine, startLine).length + changesIn(endLine, endLine).length === 0) continue;
    const inside = changesIn(startLine, endLine);
    const [first = 0, last = 0] = [inside[0], inside.at(-1)];
    const above = joined.at(-1);
    // The same change can be in two conflicts.
    if (above !== undefined && first <= above.last) above.last = last;
    else joined.push({ first, last });
  }
  return joinStretches(all, joined);
}

/** How many numbers of a sorted list are not above a limit. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] ?? 0) <= limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The first line of a conflict. */
const BEGIN = /^<{7}(?:[ \t].*)?\r?\n?$/;

/**
 * Moves deletions up to the start of a conflict. If one conflict follows another, both start with equal lines, and the diff may take
 * the marker of the second one for a deleted line of the first. A deletion that ends with the first lines of the next conflict
 * becomes one that starts at the marker of the first.
 */
function beginAtMarkers(stretches: readonly Stretch[]): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const stretch of stretches) {
    const above = found.at(-1);
    const lines = toLines(above?.from ?? '');
    const up = above === undefined || isChange(above) || stretch.to !== '' ? 0 : linesUp(lines, stretch.from);
    if (up === 0) {
      found.push(stretch);
      continue;
    }
    const moved = lines.slice(-up).join('');
    const deleted = (moved + stretch.from).slice(0, stretch.from.length);
    found.splice(-1, 1, toSame(lines.slice(0, -up).join('')), { from: deleted, to: '' }, toSame(moved));
  }
  return toFewest(found);
}

const toSame = (text: string): Stretch => ({ from: text, to: text });

/** By how many lines a deletion has to move up to start with a conflict, so that the remaining lines stay the same; 0 if it can't. */
function linesUp(above: readonly string[], deleted: string): number {
  const all = [...above, ...toLines(deleted)];
  if (BEGIN.test(all[above.length] ?? '')) return 0;
  for (let up = 1; up <= above.length; up++) {
    const line = above.at(-up) ?? '';
    if (line !== all.at(-up)) return 0;
    if (BEGIN.test(line)) return up;
  }
  return 0;
}

/** The ranges, with consecutive ones of the same kind joined, and without empty ones. */
function toFewest(stretches: readonly Stretch[]): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const stretch of stretches) {
    if (stretch.from === '' && stretch.to === '') continue;
    const last = found.at(-1);
    if (last === undefined || isChange(last) !== isChange(stretch)) found.push(stretch);
    else found.splice(-1, 1, { from: last.from + stretch.from, to: last.to + stretch.to });
  }
  return found;
}

/** @param ranges the ranges to join, in order, each given by the indexes of its first and last stretch */
function joinStretches(
  all: readonly Stretch[],
  ranges: readonly { readonly first: number; readonly last: number }[],
): readonly Stretch[] {
  const parts: (readonly Stretch[])[] = [];
  let at = 0;
  for (const { first, last } of ranges) {
    const joined = all.slice(first, last + 1);
    parts.push(all.slice(at, first), [
      { from: joined.map(({ from }) => from).join(''), to: joined.map(({ to }) => to).join('') },
    ]);
    at = last + 1;
  }
  return [...parts, all.slice(at)].flat();
}

const isChange = (stretch: Stretch | undefined): boolean => stretch?.from !== stretch?.to;

/** The line in the text before at which each range begins, and the line behind the last range. */
function toStarts(stretches: readonly Stretch[]): readonly number[] {
  const starts = [0];
  for (const { from } of stretches) starts.push((starts.at(-1) ?? 0) + toLines(from).length);
  return starts;
}

/** The deleted lines of a hunk, without the line above. */
export const deletedLinesOf = ({ before, lead }: Hunk): string => before.slice(lead);

/** The added lines of a hunk, without the line above. */
export const addedLinesOf = ({ after, lead }: Hunk): string => after.slice(lead);

/** Lines of a text without their line ends, each with a sign, as in a diff. */
export function toSignedLines(text: string, sign: ' ' | '-' | '+'): readonly string[] {
  return text === ''
    ? []
    : text
        .replace(/\r?\n$/, '')
        .split(/\r?\n/)
        .map((line) => sign + line);
}
