/** Finds accepted hunks again in a text that changed unobserved. */
import type { Span } from '../edits/linePlaces.ts';
import { lineAbove, lineBelow } from '../hunks/anchors.ts';
import { diffLines, toLines } from '../hunks/hunks.ts';
import { insertedRanges, type TextChange } from '../hunks/lineChanges.ts';
import type { FileProposal } from './proposal.ts';

/**
 * Finds the places of accepted hunks that were lost in an unobserved change because a neighboring line changed. A hunk is found if
 * its lines occur once in both texts, in a part that didn't change.
 */
export function withPlaces(known: FileProposal, file: FileProposal): FileProposal {
  const lost = file.hunks.filter(({ state, torn, putBack }) => state === 'accepted' && torn && !putBack);
  if (lost.length === 0) return file;
  const toPlace = placesIn(known.text, file.text);
  const hunks = file.hunks.map((one) => {
    const before = known.hunks.find(({ hunk }) => hunk.id === one.hunk.id);
    if (!lost.includes(one) || before === undefined || before.torn) return one;
    const from = toPlace(before.from, before.to);
    const lines = one.hunk.after;
    const isSame = from !== undefined && file.text.startsWith(lines, from);
    return isSame && isOnce(known.text, lines) && isOnce(file.text, lines)
      ? { ...one, from, to: from + lines.length, torn: false }
      : one;
  });
  return { ...file, hunks };
}

/** Returns a function that maps a range of one text to its start in the other; undefined if the range was changed. */
function placesIn(before: string, after: string) {
  let at = 0;
  let now = 0;
  const same = diffLines(before, after).flatMap(({ from, to }) => {
    const stretch = { from: at, to: at + from.length, moved: now - at };
    at += from.length;
    now += to.length;
    return from === to ? [stretch] : [];
  });
  return (from: number, to: number): number | undefined => {
    const stretch = same.find((one) => one.from <= from && to <= one.to);
    return stretch && from + stretch.moved;
  };
}

function isOnce(text: string, lines: string): boolean {
  const first = lines === '' ? -1 : text.indexOf(lines);
  return first !== -1 && text.indexOf(lines, first + 1) === -1;
}

/**
 * Places accepted hunks that only deleted lines between lines that were put back at the same place. Such a hunk is an empty range,
 * so its position doesn't say on which side of these lines it is. The surrounding lines in the proposal do.
 *
 * @param back the ranges of the file's text that were put back, in characters
 */
export function withSides(file: FileProposal, back: readonly Span[]): FileProposal {
  const { before, text } = file;
  const hunks = file.hunks.map((one) => {
    const { hunk, from, to, state, torn, putBack } = one;
    const range = back.find((each) => each.from <= from && to <= each.to);
    if (range === undefined || putBack || state !== 'accepted' || torn || hunk.after !== '') return one;
    const above = lineAbove(before, hunk.offset);
    const below = lineBelow(before, hunk.offset + hunk.before.length);
    const fit = (at: number) => Number(lineAbove(text, at) === above) + Number(lineBelow(text, at) === below);
    const best = lineStarts(text, range).reduce((now, at) => (fit(at) > fit(now) ? at : now), from);
    return best === from ? one : { ...one, from: best, to: best };
  });
  return { ...file, hunks };
}

/** The positions in a range at which a line starts, and its end. */
function lineStarts(text: string, { from, to }: Span): readonly number[] {
  const starts = [from];
  for (const line of toLines(text.slice(from, to))) starts.push((starts.at(-1) ?? from) + line.length);
  return starts;
}

/**
 * The ranges of the text that were put back, after further changes put back more lines.
 *
 * @param changes the changes that put lines back, the last one first
 */
export const withPutBack = (back: readonly Span[], changes: readonly TextChange[]): readonly Span[] => [
  ...back.map((range) => changes.reduce(moveRange, range)),
  ...insertedRanges(changes),
];

/** A range after a change above, inside, or at an edge of it. In the latter cases, the inserted text becomes part of the range. */
function moveRange({ from, to }: Span, { offset, removed, inserted }: TextChange): Span {
  const delta = inserted.length - removed;
  if (offset > to) return { from, to };
  return offset < from && offset + removed <= from
    ? { from: from + delta, to: to + delta }
    : { from: Math.min(from, offset), to: Math.max(to + delta, offset + inserted.length) };
}
