/** Moves the range of a hunk through changes of the text. */
import type { Span } from '../edits/linePlaces.ts';
import type { TextChange } from './lineChanges.ts';

/** The range of a hunk after changes, and this range with the text that was inserted at its edges. */
export interface MovedRange extends Span {
  readonly wideFrom: number;
  readonly wideTo: number;
  /** Whether a change crossed the start or end of the hunk. */
  readonly torn: boolean;
}

/** @param descending the changes, the last one in the text first */
export function moveRange(
  { from, to, torn }: Span & Pick<MovedRange, 'torn'>,
  descending: readonly TextChange[],
): MovedRange {
  const wasEmpty = from === to;
  const start: MovedRange = { from, to, wideFrom: from, wideTo: to, torn };
  return descending.reduce((range, change) => move(range, change, wasEmpty), start);
}

function move(range: MovedRange, { offset, removed, inserted }: TextChange, wasEmpty: boolean): MovedRange {
  const { from, to } = range;
  const end = offset + removed;
  const delta = inserted.length - removed;
  if (offset > to || (offset === to && removed > 0)) return range;
  // All lines of the hunk were deleted, so text that is inserted there was above them.
  const isEmptied = from === to && !wasEmpty;
  if (removed === 0 && offset === to && !isEmptied) return { ...range, wideTo: range.wideTo + delta };
  if (removed === 0 && offset === from)
    return { ...range, from: from + delta, to: to + delta, wideTo: range.wideTo + delta };
  if (end <= from) {
    return {
      ...range,
      from: from + delta,
      to: to + delta,
      wideFrom: range.wideFrom + delta,
      wideTo: range.wideTo + delta,
    };
  }
  if (offset >= from && end <= to) return { ...range, to: to + delta, wideTo: range.wideTo + delta };
  const start = Math.min(from, offset);
  const rest = Math.max(0, to - end);
  const stop = offset + inserted.length + rest;
  return { from: start, to: stop, wideFrom: start, wideTo: stop, torn: true };
}

/**
 * The possible ranges of a hunk, the widest first. Text inserted at an edge can belong to the hunk or to its neighbor, and text
 * inserted at both edges in the same event to both: a hunk that only inserts starts where the hunk above it inserts. The empty range
 * of a hunk that only deletes may be behind the inserted text.
 */
export const rangesOf = ({ from, to, wideFrom, wideTo }: MovedRange): readonly Span[] => [
  { from: wideFrom, to: wideTo },
  { from, to: wideTo },
  { from: wideFrom, to },
  { from, to },
  ...(from === to ? [{ from: wideTo, to: wideTo }] : []),
];
