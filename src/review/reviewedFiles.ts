/** What Send Review is about: the files of all proposals that the user has commented on. */
import type { Remark } from './keptRemarks.ts';
import { isUndecided, type Proposal } from './proposal.ts';
import type { UnderReview } from './proposalSet.ts';

/** Whether a remark is on a hunk of a file in a proposal. */
export const isOnFile = ({ hunk, uri }: Remark, { proposal, file }: UnderReview): boolean =>
  hunk?.proposalId === proposal.id && uri === file.uri;

/**
 * The proposals that the remarks are about: those with a remark on a hunk, oldest first, or else the last with a remark
 * in its files.
 */
export function reviewedProposals(
  underReview: readonly UnderReview[],
  remarks: readonly Remark[],
): readonly Proposal[] {
  const named = underReview.filter((one) => remarks.some((remark) => isOnFile(remark, one)));
  const last = underReview.findLast(({ file }) => remarks.some(({ uri }) => uri === file.uri));
  const found = named.length > 0 ? named : last === undefined ? [] : [last];
  return [...new Set(found.map(({ proposal }) => proposal))];
}

/** The files of several proposals, each once: of two proposals for a file, the one with undecided hunks. */
export function filesOfAll(proposals: readonly Proposal[]): readonly UnderReview[] {
  const all = proposals.flatMap((proposal) => proposal.files.map((file) => ({ proposal, file })));
  const byUri = new Map<string, UnderReview>();
  for (const one of all) {
    const known = byUri.get(one.file.uri);
    if (known === undefined || (!isUndecided(known.file) && isUndecided(one.file)))
      byUri.set(one.file.uri, one);
  }
  return [...byUri.values()];
}
