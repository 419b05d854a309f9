/** Lines of a text through changes of it, also if they are deleted and inserted again, such as by undo. */
import { splitLines } from '../../text/lineEnds.ts';
import type { LineRange } from '../../text/lineRange.ts';
import { withLineEnd } from '../edits/editPlacement.ts';
import { diffLines, toLines } from '../hunks/hunks.ts';
import { joinsOthers, type LineChange, shiftLines } from './findingPlacement.ts';

export interface FollowedLines {
  readonly lines: LineRange;
  /** What the lines were that were deleted, and may come back. */
  readonly deleted: readonly string[] | undefined;
  /** They were joined with others, deleted, or replaced: there may be a text that wasn't in them. */
  readonly isJoined: boolean;
  /** They were inserted again, as they were. */
  readonly isBack: boolean;
}

/**
 * The lines after changes of their text.
 *
 * @param changes the last one first
 * @param before the text before the changes
 * @param after the text after the changes
 */
export function followLines(
  { lines, deleted }: Pick<FollowedLines, 'lines' | 'deleted'>,
  changes: readonly LineChange[],
  before: string,
  after: string,
): FollowedLines {
  const joining = joiningOthers(lines, changes);
  const isJoined = joining.length > 0;
  const isDeleted = deleted !== undefined || joining.some(({ text }) => text === '');
  const known =
    deleted ?? (isJoined ? splitLines(before).slice(lines.startLine, lines.endLine + 1) : undefined);
  const back = known && findInserted(known, changes, after);
  // The editor reports all that another program has changed as one change, also the lines between that are the same.
  const each = isJoined ? changesBetween(before, after) : changes;
  return {
    lines: back ?? each.reduce<LineRange>(shiftLines, lines),
    deleted: isDeleted && back === undefined ? known : undefined,
    isJoined,
    isBack: back !== undefined,
  };
}

/**
 * The changes of complete lines that make one text of another, the last one first: what changed while nobody looked. Other line
 * ends are no change, nor is that of the last line.
 */
export function changesBetween(before: string, after: string): readonly LineChange[] {
  let line = 0;
  return diffLines(toEnded(before), toEnded(after))
    .flatMap(({ from, to }) => {
      const startLine = line;
      line += toLines(from).length;
      return from === to ? [] : [{ startLine, startCharacter: 0, endLine: line, endCharacter: 0, text: to }];
    })
    .reverse();
}

function toEnded(text: string): string {
  const plain = withLineEnd(text, '\n');
  return plain.endsWith('\n') ? plain : `${plain}\n`;
}

/** The changes that join lines with others. */
export function joiningOthers(lines: LineRange, changes: readonly LineChange[]): readonly LineChange[] {
  let now = lines;
  return changes.filter((change) => {
    const joins = joinsOthers(now, change);
    now = shiftLines(now, change);
    return joins;
  });
}

/** Where lines begin in what changes have inserted; undefined if they don't, or in several places. */
function findInserted(
  lines: readonly string[],
  changes: readonly LineChange[],
  after: string,
): LineRange | undefined {
  const now = splitLines(after);
  const places = changes.flatMap(({ startLine: line, text }, index) => {
    const above = changes.slice(index + 1);
    const { startLine } = above.reduce<LineRange>(shiftLines, { startLine: line, endLine: line });
    return splitLines(text).map((_, at) => startLine + at);
  });
  const [found, ...others] = places.filter((place) => lines.every((one, at) => now[place + at] === one));
  const isPlain = found !== undefined && others.length === 0 && lines.some((line) => line.trim() !== '');
  return isPlain ? { startLine: found, endLine: found + lines.length - 1 } : undefined;
}
