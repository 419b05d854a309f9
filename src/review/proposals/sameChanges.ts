/** Finds out whether a proposal already has the changes of a code block, so that Apply can show this proposal. */

import { placeEdits, replaceSpan, type Span, type UnplacedEdit } from '../edits/editPlacement.ts';
import type { ProposedEdit } from '../edits/proposalAnswer.ts';
import type { AnchoredHunk } from '../hunks/anchors.ts';
import { toHunks } from '../hunks/hunks.ts';
import { type FileProposal, isUndecided } from './proposal.ts';

/**
 * Whether a file that is under review or accepted has all of these edits. Rejected hunks don't count, because they can be proposed
 * again.
 *
 * @param asked the lines that the question was about, in the text that the proposal was created for
 */
export function hasEdits(file: FileProposal, edits: readonly ProposedEdit[], asked?: Span): boolean {
  if (edits.length === 0) return false;
  const { after, unplaced } = placeEdits(file.before, edits, asked, file.lineEnd);
  return unplaced.length === 0 && hasHunksTo(file, after);
}

/**
 * The same for code: the text of a new file, or the replacement of the lines in question.
 *
 * @param asked as above
 */
export function hasCode(file: FileProposal, code: string, asked?: Span): boolean {
  const { before, lineEnd } = file;
  const after = asked === undefined ? code : replaceSpan(before, asked, code, lineEnd);
  return (asked !== undefined || before === '') && after !== before && hasHunksTo(file, after);
}

const hasHunksTo = (file: FileProposal, after: string): boolean =>
  file.replacedBy === undefined &&
  toHunks(file.before, after).every((hunk) =>
    file.hunks.some(
      (one) => one.state !== 'rejected' && one.hunk.offset === hunk.offset && one.hunk.after === hunk.after,
    ),
  );

/**
 * Whether a file under review has the same open hunks as a new proposal for it, and also lists the edits that the new one couldn't
 * place.
 */
export const hasSame = (file: FileProposal, fresh: FileProposal): boolean =>
  file.uri === fresh.uri &&
  (fresh.hunks.length === 0 || isUndecided(file)) &&
  fresh.hunks.every((one) => file.hunks.some((other) => isSameHunk(one, other))) &&
  fresh.unplaced.every((one) => file.unplaced.some((other) => isSameEdit(one, other)) || isDone(file, one));

const isSameHunk = (a: AnchoredHunk, b: AnchoredHunk): boolean =>
  b.state === 'open' && a.from === b.from && a.to === b.to && a.hunk.after === b.hunk.after;

const isSameEdit = (a: UnplacedEdit, b: UnplacedEdit): boolean =>
  a.reason === b.reason && a.edit.find === b.edit.find && a.edit.replace === b.edit.replace;

/** Whether an edit has no place because it was already accepted. */
const isDone = (file: FileProposal, { edit, reason }: UnplacedEdit): boolean =>
  reason !== 'whole-file' && hasEdits(file, [edit]);
