/** Follows lines of a text through its changes, also if they are deleted and inserted again, such as by undo. */
import { splitLines } from '../../text/lineEnds.ts';
import type { LineRange } from '../../text/lineRange.ts';
import { withLineEnd } from '../edits/editPlacement.ts';
import { diffLines, toLines } from '../hunks/hunks.ts';
import { joinsOthers, type LineChange, shiftLines } from './findingPlacement.ts';

export interface FollowedLines {
  readonly lines: LineRange;
  /** The text of lines that were deleted and may come back. */
  readonly deleted: readonly string[] | undefined;
  /** The lines were joined with others, deleted, or replaced. Text that wasn't in them may be at their place. */
  readonly isJoined: boolean;
  /** The lines were inserted again unchanged. */
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
  // The editor reports changes by another program as one change, which includes the unchanged lines in between, so the changes are
  // computed anew.
  const each = isJoined ? changesBetween(before, after) : changes;
  return {
    lines: back ?? each.reduce<LineRange>(shiftLines, lines),
    deleted: isDeleted && back === undefined ? known : undefined,
    isJoined,
    isBack: back !== undefined,
  };
}

/**
 * The changes of complete lines from one text to another, the last one first, for texts that changed unobserved. Different line ends
 * are no change, nor is a missing line end of the last line.
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

/** The changes that join the lines with others, delete them, or replace them. */
export function joiningOthers(lines: LineRange, changes: readonly LineChange[]): readonly LineChange[] {
  let now = lines;
  return changes.filter((change) => {
    const joins = joinsOthers(now, change);
    now = shiftLines(now, change);
    return joins;
  });
}

/** The range of lines that changes have inserted; undefined if they haven't, or in several places. */
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
