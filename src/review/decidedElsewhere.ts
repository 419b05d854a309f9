/** A proposal that two windows have. */
import { type AnchoredHunk, rejectHunk, restoreHunk } from './anchors.ts';
import type { FileProposal, Proposal } from './proposal.ts';

const isUndecided = (one: AnchoredHunk | undefined): boolean =>
  one?.state === 'open' || one?.state === 'stale';

/**
 * What this window has, with the hunks rejected or restored and the files replaced that only the other one has rejected, restored,
 * and replaced. What was accepted is in the text of the file, which both follow.
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
  const withState = (one: AnchoredHunk) => {
    const [was, now] = [hunkIn(base, one), hunkIn(theirs, one)];
    if (isUndecided(one) && isUndecided(was) && now?.state === 'rejected') return rejectHunk(one);
    const isRestored = one.state === 'rejected' && was?.state === 'rejected' && isUndecided(now);
    return isRestored ? restoreHunk(one, mine.text) : one;
  };
  return {
    ...mine,
    hunks: mine.hunks.map(withState),
    replacedBy: mine.replacedBy === base.replacedBy ? theirs.replacedBy : mine.replacedBy,
  };
}
