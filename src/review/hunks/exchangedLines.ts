/**
 * Finds lines of a hunk that were inserted together with other lines. The editor reports a save by another program or another window
 * as one change, from the first to the last line that differs.
 */
import type { Span } from '../edits/linePlaces.ts';
import { addedLinesOf, deletedLinesOf, type Hunk, toLines } from './hunks.ts';
import type { MovedRange } from './movedRanges.ts';

/**
 * The range of a hunk's lines that have replaced its other lines: the added lines in place of the deleted ones, or the other way
 * round. Undefined if this didn't happen at the hunk, or if the lines occur there twice.
 *
 * @param isAccepted whether the added lines were in the text before
 * @param inserted the ranges of the texts that the change has inserted, in the text after it, the last one first
 */
export function findExchanged(
  hunk: Hunk,
  isAccepted: boolean,
  { from, wideFrom, wideTo, torn }: MovedRange,
  inserted: readonly Span[],
  [before, after]: readonly [string, string],
): Span | undefined {
  const hasLead = hunk.lead > 0 && !torn;
  // Text above the line above an insertion doesn't belong to the hunk.
  const start = hasLead ? from + hunk.lead : wideFrom;
  const touching = inserted.filter((one) => one.from <= wideTo && start <= one.to);
  const [last, first] = [touching[0], touching.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const both = [deletedLinesOf(hunk), addedLinesOf(hunk)];
  const [gone = '', there = ''] = isAccepted ? both.reverse() : both;
  // A blank line, or a bracket alone, comes with any other code.
  if (gone === '' && !/[\p{L}\p{N}]/u.test(there)) return undefined;
  const places = placesOf(there, after);
  const [top, bottom] = [Math.min(start, first.from), Math.max(wideTo, last.to)];
  const [place, another] = places.filter((at) => at >= top && at + there.length <= bottom);
  if (place === undefined || another !== undefined || !after.startsWith(there, place)) return undefined;
  if (places.length <= placesOf(there, before).length || !areFewer(gone, before, after)) return undefined;
  // The only such line can be the one above an insertion, which was changed back.
  if (placesOf(there, isAccepted ? hunk.before : hunk.after).length > places.length) return undefined;
  if (isOnlyBelow(hunk.before.slice(0, hunk.lead), place, after)) return undefined;
  const above = place - hunk.lead;
  const isBelow = after.startsWith(hunk.after, above) && placesOf(hunk.after, after).includes(above);
  return { from: isBelow ? above : hasLead ? Math.min(from, place) : place, to: place + there.length };
}

/** Whether the lines above an insertion are in a text, but none of them above this place. */
function isOnlyBelow(lead: string, place: number, text: string): boolean {
  const places = placesOf(lead, text);
  return places.length > 0 && places.every((at) => at + lead.length > place);
}

/** Whether each of these lines occurs less often in a text than before, or not at all. */
function areFewer(lines: string, before: string, after: string): boolean {
  const [was, now] = [timesOf(before), timesOf(after)];
  return toLines(lines).every((line) => {
    const own = line.replace(/\n$/, '');
    const times = now.get(own) ?? 0;
    return times === 0 || times < (was.get(own) ?? 0);
  });
}

/** How often each line, without its line end, occurs in a text. Nothing comes after the last line end. */
function timesOf(text: string): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const line of text.replace(/\n$/, '').split('\n')) times.set(line, (times.get(line) ?? 0) + 1);
  return times;
}

/** The offsets of complete lines in a text, also if the last line has no line end in the text or in `lines`. */
function placesOf(lines: string, text: string): readonly number[] {
  const places: number[] = [];
  const [all, wanted] = [`\n${text}\n`, `\n${lines.replace(/\n$/, '')}\n`];
  for (let at = lines === '' ? -1 : all.indexOf(wanted); at !== -1; at = all.indexOf(wanted, at + 1))
    places.push(at);
  return places;
}
