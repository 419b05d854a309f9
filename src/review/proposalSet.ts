/** All proposals of a workspace: which of them follow the text of a file, and which one is under review in it. */
import { withPlacedAgain } from './placedAgain.ts';
import { type FileProposal, isUndecided, isUnderReview, type Proposal, withFile } from './proposal.ts';

/** A file with undecided hunks, and the proposal that it belongs to. */
export interface UnderReview {
  readonly proposal: Proposal;
  readonly file: FileProposal;
}

/**
 * The files under review, oldest proposal first. At most one proposal is under review in a file: the hunks of an earlier
 * one can open again by undo, but wait until the later one is decided.
 */
export function underReviewIn(all: readonly Proposal[]): readonly UnderReview[] {
  const undecided = all.flatMap((proposal) =>
    proposal.files.filter(isUndecided).map((file) => ({ proposal, file })),
  );
  const last = new Map(undecided.map((one) => [one.file.uri, one]));
  return undecided.filter((one) => last.get(one.file.uri) === one);
}

/** The proposal under review in a file. */
export const reviewOfFile = (all: readonly Proposal[], uri: string): UnderReview | undefined =>
  underReviewIn(all).findLast(({ file }) => file.uri === uri);

/** Whether every hunk of a file is decided, and one was accepted, which may be undone. */
const isAccepted = (file: FileProposal): boolean =>
  file.hunks.some(({ state }) => state === 'accepted') && file.replacedBy === undefined && !isUndecided(file);

/**
 * The proposals after the text of a file was changed by the user, an extension, undo, or on disk. Those that don't
 * change are the same objects, in the same order.
 *
 * @param how what the change makes of the file in a proposal that follows it
 * @param isListed whether the conversation of a proposal exists
 */
export function withFileChanged(
  all: readonly Proposal[],
  uri: string,
  how: (file: FileProposal) => FileProposal,
  isListed: (proposal: Proposal) => boolean,
): readonly Proposal[] {
  const isIn = ({ files }: Proposal) => files.some((file) => file.uri === uri);
  // The last accepted proposal may be undone. Earlier ones no longer change.
  const lastAccepted = (some: readonly Proposal[]) =>
    some.findLast(({ files }) => files.some((file) => file.uri === uri && isAccepted(file)));
  const accepted = lastAccepted(all);
  const followed = all.map((one) => (one === accepted || isUnderReview(one) ? withFile(one, uri, how) : one));
  // When the last one was undone, it is the one before it that may be undone now.
  const before = lastAccepted(followed);
  const next = followed.map((one) => (one === before ? withFile(one, uri, how) : one));
  // Only one proposal can be under review in a file.
  const shown = reviewOfFile(next.filter(isListed), uri)?.proposal ?? next.findLast(isIn);
  return next.map((one) => (one === shown ? withFile(one, uri, withPlacedAgain) : one));
}
