/**
 * Lines of a hunk that came together with others. The editor reports what another program or another window has saved as one change,
 * from the first line that is another one to the last.
 */
import type { Span } from '../edits/linePlaces.ts';
import { addedLinesOf, deletedLinesOf, type Hunk, toLines } from './hunks.ts';

/** Where a change leaves the range of a hunk, and the range with what was inserted at its edges. */
export interface MovedRange extends Span {
  readonly wideFrom: number;
  readonly wideTo: number;
  /** The change crossed the start or end of the hunk. */
  readonly torn: boolean;
}

/**
 * Where the lines of a hunk are that came in place of its other ones, the added for the deleted ones or the other way round; undefined
 * if that didn't happen there, or if they are there twice.
 *
 * @param isAccepted whether the added lines were there
 * @param inserted what the change has inserted, as ranges of the text after it, the last one first
 */
export function findExchanged(
  hunk: Hunk,
  isAccepted: boolean,
  { from, wideFrom, wideTo, torn }: MovedRange,
  inserted: readonly Span[],
  [before, after]: readonly [string, string],
): Span | undefined {
  const hasLead = hunk.lead > 0 && !torn;
  // What comes above the line above an insertion is not of it.
  const start = hasLead ? from + hunk.lead : wideFrom;
  const touching = inserted.filter((one) => one.from <= wideTo && start <= one.to);
  const [last, first] = [touching[0], touching.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const both = [deletedLinesOf(hunk), addedLinesOf(hunk)];
  const [gone = '', there = ''] = isAccepted ? both.reverse() : both;
  const places = placesOf(there, after);
  const [top, bottom] = [Math.min(start, first.from), Math.max(wideTo, last.to)];
  const [place, another] = places.filter((at) => at >= top && at + there.length <= bottom);
  if (place === undefined || another !== undefined || !after.startsWith(there, place)) return undefined;
  const isFewer = (line: string) =>
    placesOf(line, after).length < placesOf(line, before).length || placesOf(line, after).length === 0;
  if (!toLines(gone).every(isFewer) || places.length <= placesOf(there, before).length) return undefined;
  const above = place - hunk.lead;
  const isBelow = after.startsWith(hunk.after, above) && placesOf(hunk.after, after).includes(above);
  return { from: isBelow ? above : hasLead ? Math.min(from, place) : place, to: place + there.length };
}

/** The positions at which complete lines are in a text, also if the last one has no line end in one of both. */
function placesOf(lines: string, text: string): readonly number[] {
  const places: number[] = [];
  const [all, wanted] = [`\n${text}\n`, `\n${lines.replace(/\n$/, '')}\n`];
  for (let at = lines === '' ? -1 : all.indexOf(wanted); at !== -1; at = all.indexOf(wanted, at + 1))
    places.push(at);
  return places;
}
