/** Positions and states of a proposal's hunks in a text that changes. */
import { overlap, type Span } from '../edits/linePlaces.ts';
import { findExchanged } from './exchangedLines.ts';
import type { Hunk } from './hunks.ts';
import { insertedRanges, type TextChange, textChangesBetween, toLineChanges } from './lineChanges.ts';
import { type MovedRange, moveRange, rangesOf } from './movedRanges.ts';

/**
 * `open`: the original lines are in the text. `accepted`: the proposed lines are or were in the text; later edits don't
 * change this. `rejected`: the user rejected the hunk. `stale`: the text has other lines there; the hunk can't be
 * applied, but is kept.
 */
export type HunkState = 'open' | 'accepted' | 'rejected' | 'stale';

export interface AnchoredHunk {
  readonly hunk: Hunk;
  /** The current range in the text, in characters. */
  readonly from: number;
  readonly to: number;
  readonly state: HunkState;
  /** A change crossed the start or end of the hunk, so its position is unknown. */
  readonly torn: boolean;
  /**
   * An accepted hunk of a later proposal has put the original lines of this accepted hunk back, so it stays accepted while they are
   * there. Earlier versions didn't store this.
   */
  readonly putBack?: boolean | undefined;
}

/** Anchors hunks in the text that they were computed from. */
export function anchorHunks(hunks: readonly Hunk[]): readonly AnchoredHunk[] {
  return hunks.map((hunk) => ({
    hunk,
    from: hunk.offset,
    to: hunk.offset + hunk.before.length,
    state: 'open',
    torn: false,
  }));
}

/**
 * Updates the hunks after changes of the text. The state of a hunk is read from the text itself, so that undoing an
 * accept opens the hunk again, and undoing a change to its lines makes it applicable again.
 *
 * @param before the text before the changes
 * @param after the text after the changes
 */
export function foldChanges(
  anchored: readonly AnchoredHunk[],
  changes: readonly TextChange[],
  before: string,
  after: string,
): readonly AnchoredHunk[] {
  const descending = toLineChanges(changes, before);
  const moved = anchored.map((one) => moveAll(one, descending));
  const inserted = insertedRanges(descending);
  const followed = withoutShared(
    moved.map((place) => settle(place, after)),
    moved,
  );
  // A formatter replaces the complete text, although most lines stay the same. Then a hunk may be found in any line.
  const isComplete = changes.some(({ removed }) => removed === before.length);
  const isTorn = moved.some(({ torn }) => torn);
  const again = isTorn
    ? findAgain(anchored, before, after, textChangesBetween(before, after), isComplete)
    : [];
  const kept = followed.filter(({ torn }) => !torn);
  const settled = followed.map((one, index) => {
    const found = again[index];
    if (!one.torn || found === undefined || kept.some((other) => hunksMeet(found, other))) return one;
    // Otherwise a match must overlap an inserted text: unchanged lines were there before, and aren't those of the hunk.
    return found.torn || isComplete || inserted.some((range) => overlap(found, range)) ? found : one;
  });
  return withExchanged(settled, moved, inserted, [before, after]);
}

/**
 * Leaves hunks stale whose range now has lines of another hunk: the text that was inserted between two hunks can be the lines of both,
 * and a hunk that wasn't stale before has accepted or restored them.
 */
function withoutShared(followed: readonly AnchoredHunk[], moved: readonly Moved[]): readonly AnchoredHunk[] {
  const kept = followed.filter((one, at) => moved[at]?.one.state !== 'stale' && one.state !== 'stale');
  return followed.map((one, at) => {
    const place = moved[at];
    if (place === undefined || place.one.state !== 'stale' || one.state === 'stale') return one;
    if (!kept.some((other) => overlap(one, other))) return one;
    return place.one.from === place.from && place.one.to === place.to
      ? place.one
      : { ...place.one, from: place.from, to: place.to };
  });
}

/**
 * Updates hunks whose lines have replaced their other lines together with a larger change, unless these are the lines of another
 * hunk.
 */
const withExchanged = (
  settled: readonly AnchoredHunk[],
  moved: readonly Moved[],
  inserted: readonly Span[],
  texts: readonly [string, string],
): readonly AnchoredHunk[] =>
  moved.reduce((all, range, index) => {
    const one = all[index];
    if (one === undefined || (one.state !== range.one.state && one.state !== 'stale')) return all;
    if (one.putBack !== range.one.putBack) return all;
    const isAccepted = range.one.state === 'accepted' && !range.one.putBack;
    const own = isAccepted ? one.hunk.after : one.hunk.before;
    // If its lines are still at its place, equal lines beside them were replaced.
    if (!one.torn && own.length > one.hunk.lead && texts[1].slice(one.from, one.to) === own) return all;
    const place = findExchanged(one.hunk, isAccepted, range, inserted, texts);
    if (place === undefined || !isWholeLines(one.hunk, texts[1], place.from, place.to)) return all;
    const isOthers = all.some(
      (other) => other !== one && other.state !== 'stale' && !other.torn && overlap(other, place),
    );
    const state = isAccepted ? 'open' : 'accepted';
    return isOthers ? all : all.with(index, { hunk: one.hunk, ...place, state, torn: false });
  }, settled);

/** Whether two hunks overlap, or are both empty at the same position. */
const hunksMeet = (a: AnchoredHunk, b: AnchoredHunk): boolean =>
  overlap(a, b) || (a.from === b.from && a.to === b.to);

/**
 * Finds the hunks again in a text that changed unobserved, such as while the window was closed. The lines above and
 * below must be the same too, so that equal lines elsewhere don't match.
 */
export const reanchorHunks = (
  anchored: readonly AnchoredHunk[],
  before: string,
  after: string,
): readonly AnchoredHunk[] => {
  const changes = textChangesBetween(before, after);
  const found = findAgain(anchored, before, after, changes, true);
  const moved = anchored.map((one) => moveAll(one, changes));
  return withExchanged(found, moved, insertedRanges(changes), [before, after]);
};

/** @param isUnseen the changes weren't observed, so equal lines at the same place count as the same lines */
function findAgain(
  anchored: readonly AnchoredHunk[],
  before: string,
  after: string,
  changes: readonly TextChange[],
  isUnseen: boolean,
): readonly AnchoredHunk[] {
  return anchored.map((one) => {
    const found = settle(moveAll(one, changes), after);
    const same =
      sameNeighbours(one, before, found, after) ||
      (isUnseen && found === one && after.startsWith(before.slice(0, one.to)));
    return same ? found : withFound({ ...one, from: found.from, to: found.to, torn: true }, 'stale');
  });
}

function sameNeighbours(one: AnchoredHunk, before: string, found: AnchoredHunk, after: string): boolean {
  return (
    lineAbove(before, one.from) === lineAbove(after, found.from) &&
    lineBelow(before, one.to) === lineBelow(after, found.to)
  );
}

/** The line that ends at a position, with its line end; empty at the start of the text. */
export const lineAbove = (text: string, at: number): string =>
  text.slice(at < 2 ? 0 : text.lastIndexOf('\n', at - 2) + 1, at);

/** The line that starts at a position, with its line end; empty at the end of the text. */
export function lineBelow(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end === -1 ? text.length : end + 1);
}

interface Moved extends MovedRange {
  readonly one: AnchoredHunk;
}

const moveAll = (one: AnchoredHunk, descending: readonly TextChange[]): Moved => ({
  ...moveRange(one, descending),
  one,
});

/** Determines the state of a hunk from the text. */
function settle(moved: Moved, text: string): AnchoredHunk {
  const { one, from, to, torn } = moved;
  const places = torn ? [] : rangesOf(moved);
  const found = places.find((range) => readState(one.hunk, text, range) !== 'stale') ?? { from, to };
  const next = withFound(one, torn ? 'stale' : readState(one.hunk, text, found));
  const same = next === one && found.from === one.from && found.to === one.to && torn === one.torn;
  return same ? one : { ...next, from: found.from, to: found.to, torn };
}

/**
 * The hunk after it was compared with its place in the text. It keeps a decision until the text has exactly the original or proposed
 * lines, and if a later proposal has put the original lines back, until the text has the proposed lines.
 */
function withFound(one: AnchoredHunk, found: 'open' | 'accepted' | 'stale'): AnchoredHunk {
  const { putBack, ...plain } = one;
  if (putBack) return found === 'accepted' ? plain : one;
  const isKept =
    one.state === 'rejected' ? found !== 'accepted' : one.state === 'accepted' && found === 'stale';
  return isKept || found === one.state ? one : { ...one, state: found };
}

function readState(hunk: Hunk, text: string, { from, to }: Span): 'open' | 'accepted' | 'stale' {
  const lengthFits = to - from === hunk.before.length || to - from === hunk.after.length;
  if (!lengthFits || !isWholeLines(hunk, text, from, to)) return 'stale';
  const there = text.slice(from, to);
  if (there === hunk.before) return 'open';
  return there === hunk.after ? 'accepted' : 'stale';
}

/** A hunk whose last line has no line end must be at the end of the text; elsewhere it would join two lines. */
export function isWholeLines({ before, after }: Hunk, text: string, from: number, to: number): boolean {
  const begins = from === 0 || text[from - 1] === '\n';
  const isLast = [before, after].some((lines) => lines !== '' && !lines.endsWith('\n'));
  return begins && (!isLast || to === text.length);
}

/** Marks a hunk as rejected, unless it is already accepted. */
export function rejectHunk(one: AnchoredHunk): AnchoredHunk {
  return one.state === 'accepted' ? one : { ...one, state: 'rejected' };
}

/** The hunk without its decision. Its lines are others. */
export function toStale({ putBack: _, ...one }: AnchoredHunk): AnchoredHunk {
  return { ...one, state: 'stale' };
}

/** Takes back that a hunk was rejected. It is open if its original lines are at its place in the text, or else stale. */
export function restoreHunk(one: AnchoredHunk, text: string): AnchoredHunk {
  if (one.state !== 'rejected') return one;
  return { ...one, state: one.torn ? 'stale' : readState(one.hunk, text, one) };
}

export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The smallest replacement of complete lines that accepts a hunk; undefined when it isn't open. */
export function toTextEdit({ hunk, from, to, state }: AnchoredHunk): TextEdit | undefined {
  return state === 'open' ? { from: from + hunk.lead, to, text: hunk.after.slice(hunk.lead) } : undefined;
}
