/** Proposals that stand in a file beside each other: each hunk can be accepted, rejected, and undone on its own. */

import { overlap, type Span } from '../edits/linePlaces.ts';
import type { AnchoredHunk } from '../hunks/anchors.ts';
import { type FileProposal, isUndecided, isUndecidedHunk, type Proposal } from './proposal.ts';

/** What a new proposal does with earlier ones in its files. */
export interface Succession {
  /** It takes the place of this one: it is another attempt, or revises it. */
  replaces(earlier: Proposal): boolean;
  /** The lines that the question was about, in the text of a file as it is now. */
  askedIn(uri: string, text: string): readonly Span[];
  /** When its question was sent, in epoch milliseconds. Nobody has asked it to take the place of hunks that came later. */
  readonly askedAt?: number;
}

/** For a proposal of which it isn't known what its question was about, or which the user makes. */
export const ANYWHERE: Succession = { replaces: () => false, askedIn: () => [] };

/**
 * A file of a new proposal, beside those of other proposals that stay under review. Those that it doesn't name are
 * replaced by it.
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
  // Those beside which it stood before it was replaced may meet it now.
  const { beside: before, ...alone } = file;
  return beside.length === 0 ? alone : { ...alone, beside };
}

/** Whether no hunk changes what a hunk of the other one changes, or the line above that it needs. */
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

/** The lines that a hunk replaces. If it only adds lines, the place where it does. */
const changedBy = ({ hunk, from, to }: AnchoredHunk): Span => ({ from: from + hunk.lead, to });

/** Two hunks that add lines at the same place don't meet. */
function changesMeet(a: AnchoredHunk, b: AnchoredHunk): boolean {
  const [one, other] = [changedBy(a), changedBy(b)];
  return overlap(one, other) || overlap(leadOf(a), other) || overlap(leadOf(b), one);
}

/** The line above the place where a hunk adds lines. */
const leadOf = ({ hunk, from }: AnchoredHunk): Span => ({ from, to: from + hunk.lead });

const isEmpty = ({ from, to }: Span): boolean => from === to;
