/** Determines which proposals of a workspace follow the text of a file, and which are under review in it. */
import type { AnchoredHunk } from '../hunks/anchors.ts';
import { isAtOrBelow, withRenamed } from './fileChanges.ts';
import { withPlacedAgain } from './placedAgain.ts';
import {
  countHunks,
  type FileProposal,
  hasRejected,
  isUndecided,
  isUnderReview,
  type Proposal,
  withFile,
  withReplaced,
} from './proposal.ts';
import { withPutBackBy } from './putBack.ts';

/** A file with undecided hunks, and the proposal that it belongs to. */
export interface UnderReview {
  readonly proposal: Proposal;
  readonly file: FileProposal;
}

/** The proposals, oldest first, with one that is new or has changed. */
export const withProposal = (all: readonly Proposal[], next: Proposal): readonly Proposal[] =>
  all.some(({ id }) => id === next.id)
    ? all.map((one) => (one.id === next.id ? next : one))
    : [...all, next].toSorted((one, other) => one.createdAt - other.createdAt);

/**
 * The files under review, oldest proposal first. In each file, these are the last undecided proposal and those beside it. Hunks of
 * another proposal can be opened by undo, but wait until the later proposal is decided.
 */
export function underReviewIn(all: readonly Proposal[]): readonly UnderReview[] {
  const undecided = all.flatMap((proposal) =>
    proposal.files.filter(isUndecided).map((file) => ({ proposal, file })),
  );
  const last = new Map(undecided.map((one) => [one.file.uri, one]));
  return undecided.filter((one) => {
    const shown = last.get(one.file.uri);
    return shown === one || (shown !== undefined && areBeside(shown, one));
  });
}

/** The proposals under review in a file, oldest first. */
export const reviewsOfFile = (all: readonly Proposal[], uri: string): readonly UnderReview[] =>
  underReviewIn(all).filter(({ file }) => file.uri === uri);

const areBeside = (one: UnderReview, other: UnderReview): boolean =>
  one.file.beside?.includes(other.proposal.id) === true ||
  other.file.beside?.includes(one.proposal.id) === true;

/** The files with undecided or accepted hunks, each as the last proposal has it. Such files are followed when they are moved. */
export function followedFiles(all: readonly Proposal[]): readonly FileProposal[] {
  const followed = all
    .flatMap(({ files }) => files)
    .filter(({ hunks, replacedBy }) => replacedBy === undefined && hunks.some(isInText));
  return [...new Map(followed.map((file) => [file.uri, file])).values()];
}

const isInText = ({ state }: AnchoredHunk): boolean => state !== 'rejected';

/** The last accepted proposal of a file, and the accepted ones beside it. Each of them may be undone next. */
export function lastAcceptedIn(all: readonly Proposal[], uri: string): readonly Proposal[] {
  const accepted = all.flatMap((proposal) =>
    proposal.files.filter((file) => file.uri === uri && isAccepted(file)).map((file) => ({ proposal, file })),
  );
  const last = accepted.at(-1);
  if (last === undefined) return [];
  return accepted.filter((one) => one === last || areBeside(one, last)).map(({ proposal }) => proposal);
}

/** The last proposal with rejected hunks in a file. */
export const lastRejectedIn = (all: readonly Proposal[], uri: string): UnderReview | undefined =>
  all
    .flatMap((proposal) => proposal.files.map((file) => ({ proposal, file })))
    .findLast(({ file }) => file.uri === uri && hasRejected(file));

/** Whether all hunks of a file are decided and at least one was accepted, so that it may be undone. */
const isAccepted = (file: FileProposal): boolean =>
  file.hunks.some(({ state }) => state === 'accepted') && file.replacedBy === undefined && !isUndecided(file);

const mayBeRedone = ({ files }: Proposal, uri: string): boolean =>
  files.some((file) => file.uri === uri && file.replacedBy === undefined && file.steps.ahead.length > 0);

/**
 * The proposals after the text of a file was changed by the user, an extension, undo, or on disk. Proposals that don't change are
 * the same objects, in the same order.
 *
 * @param how applies the change to the file in a proposal that follows it
 * @param isListed whether the conversation of a proposal exists
 * @param isStep whether undo or redo has led to a text in which the hunks of the file are known. Then the proposal follows, also if
 * it otherwise wouldn't
 */
export function withFileChanged(
  all: readonly Proposal[],
  uri: string,
  how: (file: FileProposal) => FileProposal,
  isListed: (proposal: Proposal) => boolean,
  isStep: (file: FileProposal) => boolean = () => false,
): readonly Proposal[] {
  const isIn = ({ files }: Proposal) => files.some((file) => file.uri === uri);
  // Proposals accepted before these no longer change, except by undo and redo.
  const accepted = lastAcceptedIn(all, uri);
  const isKnown = ({ files }: Proposal) => files.some((file) => file.uri === uri && isStep(file));
  const isFollowed = (one: Proposal) =>
    accepted.includes(one) || isUnderReview(one) || mayBeRedone(one, uri) || isKnown(one);
  const followed = withPutBackBy(
    all,
    all.map((one) => (isFollowed(one) ? withFile(one, uri, how) : one)),
    uri,
    isStep,
  );
  // If the last accepted proposal was undone, the one before it may be undone next, so it follows now.
  const before = lastAcceptedIn(followed, uri);
  const next = followed.map((one) => (before.includes(one) ? withFile(one, uri, how) : one));
  const shown = reviewsOfFile(next.filter(isListed), uri);
  const last = shown.at(-1)?.proposal ?? next.findLast(isIn);
  const others = shown.filter(({ proposal }) => proposal !== last).flatMap(({ file }) => file.hunks);
  return next.map((one) =>
    one === last
      ? withFile(one, uri, (file) => withPlacedAgain(file.hunks.length > 0 ? file : how(file), others))
      : one,
  );
}

/**
 * The proposals after a file or folder was renamed, in the same order. If the rename overwrote a file, only the hunks that came with
 * the renamed file are under review, because other proposals were for a text that is gone.
 *
 * @param label the new name of the file or folder, as the user sees it
 * @param isListed whether the conversation of a proposal exists
 */
export function withFilesRenamed(
  all: readonly Proposal[],
  { from, to, label }: { readonly from: string; readonly to: string; readonly label: string },
  isListed: (proposal: Proposal) => boolean,
): readonly Proposal[] {
  const next = all.map((one) => withRenamed(one, from, to, label));
  const moved = from === to ? [] : next.filter((one, index) => one !== all[index]);
  const arrived = moved
    .filter(isListed)
    .flatMap(({ id, files }) =>
      files.filter((file) => isAtOrBelow(file.uri, to) && isUndecided(file)).map((file) => ({ id, file })),
    );
  // Whether a proposal is for the overwritten text. A proposal for the new text may already exist, because another program renamed
  // the file earlier, or the editor already shows that text.
  const isForOther = (one: Proposal, { uri, text }: FileProposal) =>
    one.files.some((file) => file.uri === uri && (file.text !== text || countHunks(file).open === 0));
  return next.map((one) =>
    moved.includes(one)
      ? one
      : arrived
          .filter(({ file }) => isForOther(one, file))
          .reduce((now, { id, file }) => withReplaced(now, { id, files: [file] }), one),
  );
}
