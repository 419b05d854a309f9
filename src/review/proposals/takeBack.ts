/** Takes back the accepted hunks of one proposal in one file, if the text still has them as they were accepted. */

import type { LineEnd } from '../edits/editPlacement.ts';
import { type Span, toTrimmed } from '../edits/linePlaces.ts';
import { type AnchoredHunk, isWholeLines, type TextEdit, toStale } from '../hunks/anchors.ts';
import { addedLinesOf, deletedLinesOf, toLines } from '../hunks/hunks.ts';
import { type TextChange, withTextChanges } from '../hunks/lineChanges.ts';
import { asAccepted } from './asAccepted.ts';
import { withPlaces, withSides } from './hunkPlaces.ts';
import { isAsProposed } from './lastLineEnd.ts';
import { type FileProposal, toNewAgain } from './proposal.ts';
import { withChanges, withText } from './proposalTextChanges.ts';

/**
 * `changed`: the user has changed the lines. `missing`: the file no longer exists. `unreadable`: it isn't text.
 * `notebook`: it is open as a notebook, which can have other changes. `read-only`: it can't be written. `refused`: the user didn't
 * allow the file to be changed.
 */
export type KeptReason = 'changed' | 'missing' | 'unreadable' | 'notebook' | 'read-only' | 'refused';

/** The accepted hunks of a file. */
export const acceptedIn = ({ hunks }: FileProposal): readonly AnchoredHunk[] =>
  hunks.filter(({ state }) => state === 'accepted');

interface KeptAll {
  readonly kept: readonly AnchoredHunk[];
  readonly reason: KeptReason;
  readonly file: undefined;
}

/** The result if hunks of the proposal were taken back. */
interface TakenBack {
  readonly kept: readonly AnchoredHunk[];
  readonly reason: KeptReason;
  readonly file: FileProposal;
  readonly next: string | undefined;
  readonly changes: readonly TextChange[];
  /** The IDs of the hunks that were taken back. */
  readonly taken: readonly string[];
  /** Deleted and added text, hunk by hunk. */
  readonly parts: readonly { readonly before: string; readonly after: string }[];
}

type Taken = KeptAll | TakenBack;

const keepAll = (file: FileProposal, reason: KeptReason): KeptAll => ({
  kept: acceptedIn(file),
  reason,
  file: undefined,
});

interface TextNow {
  /** Undefined if the file was deleted. */
  readonly text: string | undefined;
  readonly lineEnd: LineEnd | undefined;
  /** The ranges of the text that were put back before. */
  readonly back: readonly Span[];
}

/**
 * Takes back the accepted hunks of one proposal that are still in the text.
 *
 * @param known the file of the proposal as it is stored
 * @param followed the same file, followed to its current text while later proposals were taken back
 */
export function takeBack(known: FileProposal, followed: FileProposal, now: TextNow): Taken {
  const { text, lineEnd } = now;
  if (text === undefined) return keepAll(known, 'missing');
  const file = findAccepted(known, followed, { ...now, text });
  if (file.created === true) return deleteCreated(file, text);
  // The current text may also contain the proposed lines of an open hunk. The user hasn't accepted this hunk here, so it stays.
  const decided = new Set(acceptedIn(known).map(({ hunk }) => hunk.id));
  const accepted = acceptedIn(file).filter(({ hunk }) => decided.has(hunk.id));
  const found = toUndoEdits(accepted, text);
  if (found.length === 0) return { kept: accepted, reason: 'changed', file: undefined };
  // The last one first: if several begin at the same place, the lines below must not replace those above.
  const changes = found.map(({ edit }) => toChange(edit)).toReversed();
  const next = withTextChanges(text, changes);
  const ids = new Set(found.map(({ one }) => one.hunk.id));
  return {
    kept: accepted.filter(({ hunk }) => !ids.has(hunk.id)),
    reason: 'changed',
    file: withTakenBack(withChanges(file, changes, next, lineEnd), ids),
    next,
    changes,
    taken: [...ids],
    parts: found.map(({ edit: { from, to, text: after } }) => ({ before: text.slice(from, to), after })),
  };
}

/**
 * The file in its current text. Each accepted hunk is at the first place where it can be taken back. The places in a text that is the
 * same come first, then those to which the hunks were followed, then those that a comparison with another text finds. The text in which
 * hunks were accepted is compared only for hunks whose place was lost since, because the user can have moved the lines of others.
 */
function findAccepted(
  known: FileProposal,
  followed: FileProposal,
  { text, lineEnd, back }: TextNow & { readonly text: string },
): FileProposal {
  const start = asAccepted(known);
  const same = [start, known].filter((one) => one?.text === text);
  const compared = [
    withPlaces(known, withText(known, text, lineEnd)),
    start && toLost(start, known, text, lineEnd),
  ];
  const all = [...same, followed, ...compared].flatMap((one) => (one ? withSides(one, back) : []));
  const accepted = new Set(acceptedIn(known).map(({ hunk }) => hunk.id));
  const isFound = (one: AnchoredHunk) => one.state === 'accepted' && toUndoEdit(one, text) !== undefined;
  const hunks = followed.hunks.map((one) => {
    if (!accepted.has(one.hunk.id)) return one;
    const places = all.flatMap((file) => file.hunks.filter(({ hunk }) => hunk.id === one.hunk.id));
    return places.find(isFound) ?? one;
  });
  return { ...followed, hunks };
}

function toLost(start: FileProposal, known: FileProposal, text: string, lineEnd: LineEnd | undefined) {
  const lost = new Set(known.hunks.flatMap(({ hunk, torn }) => (torn ? [hunk.id] : [])));
  const hunks = start.hunks.filter(({ hunk }) => lost.has(hunk.id));
  return hunks.length === 0 ? undefined : withText({ ...start, hunks }, text, lineEnd);
}

/** Deletes a file that the proposal created, if it has the proposed text. Otherwise, all hunks are kept. */
function deleteCreated(file: FileProposal, text: string): Taken {
  if (!isAsProposed(text, file.after)) return keepAll(file, 'changed');
  return {
    kept: [],
    reason: 'changed',
    file: toNewAgain(file),
    next: undefined,
    changes: [],
    taken: acceptedIn(file).map(({ hunk }) => hunk.id),
    parts: acceptedIn(file).map(() => ({ before: text, after: '' })),
  };
}

/**
 * The file in which no hunk that was taken back is accepted. Other accepted hunks stay so when their lines change, and a hunk that
 * was taken back could as well, if the line above it is another one.
 */
const withTakenBack = (file: FileProposal, ids: ReadonlySet<string>): FileProposal => ({
  ...file,
  hunks: file.hunks.map((one) => (ids.has(one.hunk.id) && one.state === 'accepted' ? toStale(one) : one)),
});

/** The hunks that can be taken back, from the top. A hunk that overlaps one above it is left out. */
function toUndoEdits(hunks: readonly AnchoredHunk[], text: string) {
  const found: { readonly one: AnchoredHunk; readonly edit: TextEdit }[] = [];
  for (const one of hunks) {
    const edit = toUndoEdit(one, text);
    if (edit !== undefined && edit.from >= (found.at(-1)?.edit.to ?? 0)) found.push({ one, edit });
  }
  return found;
}

/**
 * The replacement that takes an accepted hunk back; undefined if the accepted lines are no longer there as they were accepted. The
 * line above an insertion is only an anchor, so it may have changed. Trailing white space may be missing, because editors can trim
 * it when a file is saved.
 */
function toUndoEdit({ hunk, from, to, torn, putBack }: AnchoredHunk, text: string): TextEdit | undefined {
  const added = toLines(addedLinesOf(hunk));
  const there = added.length === 0 ? [] : toLines(text.slice(from, to)).slice(-added.length);
  const start = to - there.join('').length;
  const isThere = added.every((line, at) => line === there[at] || toTrimmed(line) === there[at]);
  const fits = !torn && !putBack && (hunk.lead > 0 ? start >= from : start === from) && isThere;
  return fits && isWholeLines(hunk, text, start, to)
    ? { from: start, to, text: deletedLinesOf(hunk) }
    : undefined;
}

const toChange = ({ from, to, text }: TextEdit): TextChange => ({
  offset: from,
  removed: to - from,
  inserted: text,
});
