/** Determines the proposals and files that Send Review is about: those that the user has commented on. */

import { isUndecided, type Proposal } from '../proposals/proposal.ts';
import type { UnderReview } from '../proposals/proposalSet.ts';
import type { Remark } from './keptRemarks.ts';

/** Whether a remark is on a hunk of a file in a proposal. */
export const isOnFile = ({ hunk, uri }: Remark, { proposal, file }: UnderReview): boolean =>
  hunk?.proposalId === proposal.id && uri === file.uri;

/**
 * The proposals that the comments are about, oldest first: those with a comment on a hunk, or else the last one with a comment in
 * its files. Proposals beside them in the same files are included, because the revision replaces those, too.
 */
export function reviewedProposals(
  underReview: readonly UnderReview[],
  remarks: readonly Remark[],
): readonly Proposal[] {
  const named = underReview.filter((one) => remarks.some((remark) => isOnFile(remark, one)));
  const last = underReview.findLast(({ file }) => remarks.some(({ uri }) => uri === file.uri));
  const found = named.length > 0 ? named : last === undefined ? [] : [last];
  const files = found.flatMap(({ proposal }) => proposal.files.filter(isUndecided));
  const reviewed = underReview.filter(
    (one) => found.includes(one) || files.some(({ uri }) => uri === one.file.uri),
  );
  return [...new Set(reviewed.map(({ proposal }) => proposal))];
}

/** The files of several proposals. If several proposals change a file, each with undecided hunks is included, or else the first. */
export function filesOfAll(proposals: readonly Proposal[]): readonly UnderReview[] {
  const all = proposals.flatMap((proposal) => proposal.files.map((file) => ({ proposal, file })));
  return all.filter((one) => {
    const same = all.filter(({ file }) => file.uri === one.file.uri);
    return isUndecided(one.file) || (one === same[0] && !same.some(({ file }) => isUndecided(file)));
  });
}
