/** Chooses the lines of a long part of a file that a review sends. */
import type { LineRange } from '../../text/lineRange.ts';

const MAX_LINES = 1500;
const LINES_AROUND = 200;

/**
 * The part itself if it is short. Of a longer one, the lines around the comments, or else the first ones. More than `MAX_LINES` only if
 * the comments themselves are on more lines.
 *
 * @param comments the lines of the comments; those outside of the part count as its nearest line
 * @param others the lines of hunks without comments. Each is added if all lines are then no more than `MAX_LINES`
 */
export function commentedLines(
  part: LineRange,
  comments: readonly LineRange[],
  others: readonly LineRange[] = [],
): readonly LineRange[] {
  const clamped = (line: number) => Math.min(Math.max(line, part.startLine), part.endLine);
  const within = ({ startLine, endLine }: LineRange, around: number): LineRange => ({
    startLine: clamped(clamped(startLine) - around),
    endLine: clamped(clamped(endLine) + around),
  });
  const whole = comments.length === 0 ? part : within(hullOf(comments), LINES_AROUND);
  const [one] = [part, whole].filter((lines) => countOf(lines) <= MAX_LINES);
  if (one !== undefined) return [one];
  if (comments.length === 0) return [{ ...part, endLine: part.startLine + MAX_LINES - 1 }];
  let own = joined(comments.map((lines) => within(lines, 0)));
  for (const lines of others) {
    const more = joined([...own, within(lines, 0)]);
    if (totalOf(more) <= MAX_LINES) own = more;
  }
  const left = MAX_LINES - totalOf(own);
  const around = Math.min(LINES_AROUND, Math.max(0, Math.floor(left / (2 * own.length))));
  return joined(own.map((lines) => within(lines, around)));
}

const countOf = ({ startLine, endLine }: LineRange): number => endLine - startLine + 1;

const totalOf = (all: readonly LineRange[]): number => all.reduce((sum, lines) => sum + countOf(lines), 0);

const hullOf = (all: readonly LineRange[]): LineRange => ({
  startLine: Math.min(...all.map(({ startLine }) => startLine)),
  endLine: Math.max(...all.map(({ endLine }) => endLine)),
});

/** The ranges in their order. Those that touch are one. */
function joined(all: readonly LineRange[]): readonly LineRange[] {
  const parts: LineRange[] = [];
  for (const next of all.toSorted((one, other) => one.startLine - other.startLine)) {
    const last = parts.at(-1);
    if (last === undefined || next.startLine > last.endLine + 1) parts.push(next);
    else parts[parts.length - 1] = hullOf([last, next]);
  }
  return parts;
}
