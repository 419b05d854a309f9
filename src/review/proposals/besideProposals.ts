/**
 * Determines which proposals can stand beside each other in a file, so that each hunk can be accepted, rejected, and undone on its
 * own.
 */

import { overlap, type Span } from '../edits/linePlaces.ts';
import type { AnchoredHunk } from '../hunks/anchors.ts';
import { type FileProposal, isUndecided, isUndecidedHunk, type Proposal } from './proposal.ts';

/** How a new proposal affects earlier ones in its files. */
export interface Succession {
  /** Whether the new proposal takes the place of an earlier one, because it is another attempt or revises it. */
  replaces(earlier: Proposal): boolean;
  /** The lines that the question was about, in the text of a file as it is now. */
  askedIn(uri: string, text: string): readonly Span[];
  /** When the question was sent, in epoch milliseconds. The question couldn't ask to replace hunks that were created later. */
  readonly askedAt?: number;
}

/** For proposals that the user creates, or whose question isn't known to be about certain lines. */
export const ANYWHERE: Succession = { replaces: () => false, askedIn: () => [] };

/**
 * A file of a new proposal, with the IDs of the proposals that stay under review beside it. Other proposals in the file are
 * replaced.
 *
 * @param others proposals with hunks that follow the same text
 */
export function withBeside(file: FileProposal, others: readonly Proposal[], by: Succession): FileProposal {
  const asked = by.askedIn(file.uri, file.text);
  const beside = others
    .filter((one) => !by.replaces(one))
    .filter(({ files }) =>
      files.some(
        (other) =>
          other.uri === file.uri &&
          canStandBeside(other, file) &&
          !asked.some((span) => isAsked(other, span)),
      ),
    )
    .map(({ id }) => id);
  // The earlier list is dropped: proposals in it may conflict by now.
  const { beside: before, ...alone } = file;
  return beside.length === 0 ? alone : { ...alone, beside };
}

/** Whether no hunk of one file changes lines that a hunk of the other changes, or the line above that it needs. */
export const canStandBeside = (one: FileProposal, other: FileProposal): boolean =>
  !one.isNew &&
  !other.isNew &&
  one.text === other.text &&
  !one.hunks.filter(isThere).some((a) => other.hunks.filter(isThere).some((b) => changesMeet(a, b)));

/** Whether lines that a question is about have undecided hunks. */
export const isAsked = (file: FileProposal, { from, to }: Span): boolean =>
  isUndecided(file) &&
  file.hunks
    .filter(isUndecidedHunk)
    .map(changedBy)
    .some(
      (lines) => overlap(lines, { from, to }) || (isEmpty(lines) && lines.from >= from && lines.to <= to),
    );

const isThere = ({ state, torn }: AnchoredHunk): boolean => state !== 'rejected' && !torn;

/** The range that a hunk replaces. If the hunk only adds lines, the empty range where it adds them. */
const changedBy = ({ hunk, from, to }: AnchoredHunk): Span => ({ from: from + hunk.lead, to });

/** Whether the changes of two hunks meet. Two hunks that add lines at the same place don't. */
function changesMeet(a: AnchoredHunk, b: AnchoredHunk): boolean {
  const [one, other] = [changedBy(a), changedBy(b)];
  return overlap(one, other) || overlap(leadOf(a), other) || overlap(leadOf(b), one);
}

/** The line above the place where a hunk adds lines. */
const leadOf = ({ hunk, from }: AnchoredHunk): Span => ({ from, to: from + hunk.lead });

const isEmpty = ({ from, to }: Span): boolean => from === to;
