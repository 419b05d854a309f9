/** Turns edits without a place into hunks when the text gets the lines that they were written for. */

import { placeEdits, type UnplacedEdit } from '../edits/editPlacement.ts';
import { meet } from '../edits/linePlaces.ts';
import { type AnchoredHunk, anchorHunks } from '../hunks/anchors.ts';
import { toHunks } from '../hunks/hunks.ts';
import { type FileProposal, isUndecidedHunk } from './proposal.ts';

/**
 * The most edits to look for. Each is searched for in the whole text after each change, such as each key press, and a model can
 * return thousands.
 */
const MAX_LOOKED_FOR = 50;

const mayBeThere = ({ reason }: UnplacedEdit): boolean => reason === 'not-there' || reason === 'part-of-line';

/**
 * Tries again to place the edits whose lines were not in the text, or only as parts of lines. An edit stays without a place if it
 * overlaps an undecided hunk, or if the user rejected all hunks of the file. Returns the same object if nothing changed.
 *
 * @param others the hunks of other proposals that are under review in the file
 */
export function withPlacedAgain(file: FileProposal, others: readonly AnchoredHunk[] = []): FileProposal {
  const isRejected = file.hunks.length > 0 && file.hunks.every(({ state }) => state === 'rejected');
  if (file.isNew || file.replacedBy !== undefined || isRejected) return file;
  const lookedFor = file.unplaced.filter(mayBeThere).slice(0, MAX_LOOKED_FOR);
  return lookedFor.reduce((now, one) => placeOne(now, one, others), file);
}

function placeOne(file: FileProposal, one: UnplacedEdit, others: readonly AnchoredHunk[]): FileProposal {
  const { after, unplaced } = placeEdits(file.text, [one.edit], file.asked, file.lineEnd);
  if (unplaced.length > 0) return file;
  const found = anchorHunks(toHunks(file.text, after)).map((place, index) => ({
    ...place,
    hunk: { ...place.hunk, id: String(file.hunks.length + index) },
  }));
  const undecided = [...file.hunks, ...others].filter(isUndecidedHunk);
  if (found.length === 0 || found.some((a) => undecided.some((b) => meet(a, b)))) return file;
  return {
    ...file,
    unplaced: file.unplaced.filter((other) => other !== one),
    hunks: [...file.hunks, ...found].toSorted((a, b) => a.from - b.from),
  };
}
