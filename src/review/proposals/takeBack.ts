/** Takes the accepted hunks of one proposal in one file back, as far as they are in its text as they were accepted. */

import type { LineEnd } from '../edits/editPlacement.ts';
import { type Span, toTrimmed } from '../edits/linePlaces.ts';
import { type AnchoredHunk, isWholeLines, type TextEdit } from '../hunks/anchors.ts';
import { addedLinesOf, deletedLinesOf, toLines } from '../hunks/hunks.ts';
import { type TextChange, withTextChanges } from '../hunks/lineChanges.ts';
import { withPlaces, withSides } from './hunkPlaces.ts';
import { isAsProposed } from './lastLineEnd.ts';
import { type FileProposal, toNewAgain } from './proposal.ts';
import { withChanges, withText } from './proposalTextChanges.ts';

/**
 * `changed`: the user has changed the lines. `missing`: the file no longer exists. `unreadable`: it isn't text.
 * `read-only`: it can't be written. `refused`: the user didn't allow the file to be changed.
 */
export type KeptReason = 'changed' | 'missing' | 'unreadable' | 'read-only' | 'refused';

/** The accepted hunks of a file. */
export const acceptedIn = ({ hunks }: FileProposal): readonly AnchoredHunk[] =>
  hunks.filter(({ state }) => state === 'accepted');

interface KeptAll {
  readonly kept: readonly AnchoredHunk[];
  readonly reason: KeptReason;
  readonly file: undefined;
}

/** The hunks of one proposal, taken back. */
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

/**
 * Takes the accepted hunks of one proposal back, as far as they are in the text. No text: the file was deleted.
 *
 * @param back the ranges of the text that were put back before
 */
export function takeBack(
  known: FileProposal,
  text: string | undefined,
  lineEnd: LineEnd | undefined,
  back: readonly Span[],
): Taken {
  if (text === undefined) return keepAll(known, 'missing');
  const file = withSides(withPlaces(known, withText(known, text, lineEnd)), back);
  if (file.created === true) return deleteCreated(file, text);
  // One that was open may be accepted in the text as it is now, but then the user hasn't accepted it here.
  const decided = new Set(acceptedIn(known).map(({ hunk }) => hunk.id));
  const accepted = acceptedIn(file).filter(({ hunk }) => decided.has(hunk.id));
  const found = toUndoEdits(accepted, text);
  if (found.length === 0) return { kept: accepted, reason: 'changed', file: undefined };
  // The last one first: where several begin at the same place, those above must not be replaced by those below.
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

/** A file that the proposal created is deleted if it has the proposed text. Otherwise, it is left alone. */
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

/** A hunk stays accepted when its lines change. One that was taken back isn't, also if the line above it is another. */
const withTakenBack = (file: FileProposal, ids: ReadonlySet<string>): FileProposal => ({
  ...file,
  hunks: file.hunks.map((one) =>
    ids.has(one.hunk.id) && one.state === 'accepted' ? { ...one, state: 'stale' } : one,
  ),
});

/** The hunks that can be taken back, from the top, without those that overlap one above. */
function toUndoEdits(hunks: readonly AnchoredHunk[], text: string) {
  const found: { readonly one: AnchoredHunk; readonly edit: TextEdit }[] = [];
  for (const one of hunks) {
    const edit = toUndoEdit(one, text);
    if (edit !== undefined && edit.from >= (found.at(-1)?.edit.to ?? 0)) found.push({ one, edit });
  }
  return found;
}

/**
 * The replacement that takes an accepted hunk back; undefined when the accepted lines aren't there as they were accepted.
 * The line above an insertion is only an anchor, and may be another one. Editors trim the white space at the ends of lines when a
 * file is saved, if the user wants that.
 */
function toUndoEdit({ hunk, from, to, torn }: AnchoredHunk, text: string): TextEdit | undefined {
  const added = toLines(addedLinesOf(hunk));
  const there = added.length === 0 ? [] : toLines(text.slice(from, to)).slice(-added.length);
  const start = to - there.join('').length;
  const isThere = added.every((line, at) => line === there[at] || toTrimmed(line) === there[at]);
  const fits = !torn && (hunk.lead > 0 ? start >= from : start === from) && isThere;
  return fits && isWholeLines(hunk, text, start, to)
    ? { from: start, to, text: deletedLinesOf(hunk) }
    : undefined;
}

const toChange = ({ from, to, text }: TextEdit): TextChange => ({
  offset: from,
  removed: to - from,
  inserted: text,
});
