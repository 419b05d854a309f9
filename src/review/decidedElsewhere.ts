/** A proposal that two windows have. */
import { type AnchoredHunk, rejectHunk } from './anchors.ts';
import { type FileProposal, isUndecidedHunk, type Proposal } from './proposal.ts';

/**
 * What this window has, with the hunks rejected and the files replaced that only the other one has rejected and replaced. What was
 * accepted is in the text of the file, which both follow.
 *
 * @param base what both had
 */
export function withDecidedElsewhere(mine: Proposal, base: Proposal, theirs: Proposal): Proposal {
  return {
    ...mine,
    files: mine.files.map((file) => withFile(file, fileIn(base, file), fileIn(theirs, file))),
  };
}

const fileIn = ({ files }: Proposal, { uri }: FileProposal) => files.find((one) => one.uri === uri);

function withFile(
  mine: FileProposal,
  base: FileProposal | undefined,
  theirs: FileProposal | undefined,
): FileProposal {
  if (base === undefined || theirs === undefined) return mine;
  const hunkIn = ({ hunks }: FileProposal, { hunk }: AnchoredHunk) =>
    hunks.find((one) => one.hunk.id === hunk.id);
  const isUndecidedIn = (file: FileProposal, one: AnchoredHunk) => {
    const found = hunkIn(file, one);
    return found !== undefined && isUndecidedHunk(found);
  };
  const isRejected = (one: AnchoredHunk) =>
    isUndecidedHunk(one) && isUndecidedIn(base, one) && hunkIn(theirs, one)?.state === 'rejected';
  return {
    ...mine,
    hunks: mine.hunks.map((one) => (isRejected(one) ? rejectHunk(one) : one)),
    replacedBy: mine.replacedBy === base.replacedBy ? theirs.replacedBy : mine.replacedBy,
  };
}
