/** Converts changes that begin at the end of a line to changes of the lines below. */
import type { Span } from '../edits/linePlaces.ts';
import { diffLines } from './hunks.ts';

/** A replacement in a text. The offset counts in the text before all changes of the same event. */
export interface TextChange {
  readonly offset: number;
  readonly removed: number;
  readonly inserted: string;
}

/** The text after the changes of one event, whose offsets count in the text before all of them. */
export const withTextChanges = (text: string, changes: readonly TextChange[]): string =>
  changes
    .toSorted((a, b) => b.offset - a.offset)
    .reduce(
      (all, { offset, removed, inserted }) => all.slice(0, offset) + inserted + all.slice(offset + removed),
      text,
    );

/**
 * The changes of one event, the last one first. Pressing Enter at the end of a line and typing leaves this line unchanged, and so
 * does deleting from its end to the end of another line. Such changes are moved behind the line end, where they are changes of the
 * lines below.
 *
 * @param changes in characters of `text`, the text before all of them
 * @returns the changes, each in characters of the text after those that precede it in the list
 */
export function toLineChanges(changes: readonly TextChange[], text: string): readonly TextChange[] {
  let below = text.length;
  return changes
    .toSorted((a, b) => b.offset - a.offset)
    .map((change) => {
      const end = text.startsWith('\r\n', change.offset) ? '\r\n' : '\n';
      const stop = change.offset + change.removed;
      // The line end behind the change must not be part of the change below it.
      const isFree = stop + end.length <= below && text.startsWith(end, stop);
      below = change.offset;
      if (!isFree || !text.startsWith(end, change.offset) || isOfLines(change, text)) return change;
      return belowTheLine(change, end);
    });
}

/**
 * Whether complete lines are inserted or deleted. Such a change isn't moved: if equal lines follow, the lines of the change are the
 * ones that are meant.
 */
const isOfLines = ({ offset, removed, inserted }: TextChange, text: string): boolean =>
  (offset === 0 || text[offset - 1] === '\n') &&
  (removed > 0 ? text[offset + removed - 1] === '\n' : inserted.endsWith('\n'));

function belowTheLine(change: TextChange, end: string): TextChange {
  const { offset, removed, inserted } = change;
  if (removed === 0 && inserted.startsWith(end))
    return { offset: offset + end.length, removed, inserted: inserted.slice(end.length) + end };
  return inserted === '' ? { ...change, offset: offset + end.length } : change;
}

/** The difference between two texts as changes of complete lines, the last one first. */
export function textChangesBetween(before: string, after: string): readonly TextChange[] {
  if (before === after) return [];
  const changes: TextChange[] = [];
  let offset = 0;
  for (const { from, to } of diffLines(before, after)) {
    if (from !== to) changes.push({ offset, removed: from.length, inserted: to });
    offset += from.length;
  }
  return changes.reverse();
}

/** The ranges of the texts that changes insert, in the text after all changes. The last range comes first. */
export function insertedRanges(descending: readonly TextChange[]): readonly Span[] {
  const ranges: Span[] = [];
  let moved = 0;
  for (const { offset, removed, inserted } of descending.toReversed()) {
    const from = offset + moved;
    if (inserted !== '') ranges.push({ from, to: from + inserted.length });
    moved += inserted.length - removed;
  }
  return ranges.reverse();
}
