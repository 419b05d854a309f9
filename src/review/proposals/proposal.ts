/** A proposal as data: changes of files, and the state of each hunk. */

import { type LineEnd, lineEndOf, type Span, type UnplacedEdit } from '../edits/editPlacement.ts';
import { overlap } from '../edits/linePlaces.ts';
import type { MalformedField } from '../edits/proposalAnswer.ts';
import { type AnchoredHunk, anchorHunks, type HunkState, rejectHunk, restoreHunk } from '../hunks/anchors.ts';
import { toHunks } from '../hunks/hunks.ts';
import { NO_STEPS, type UndoSteps } from '../hunks/undoSteps.ts';

/** The proposed changes of one file. */
export interface FileProposal {
  readonly uri: string;
  /** The name of the file that is shown to the user. */
  readonly label: string;
  /** The file doesn't exist yet. */
  readonly isNew: boolean;
  /**
   * Whether the proposal created the file: it was new, and now exists with the proposed text. False if it exists with another text,
   * which someone else has written. Earlier versions didn't store this.
   */
  readonly created?: boolean | undefined;
  /**
   * The file was proposed as new, and someone else created it empty. The first text that is written into it gets hunks as if the file
   * had been created with it.
   */
  readonly createdEmpty?: boolean | undefined;
  /** The file was deleted since. Its hunks are kept, but can't be accepted. */
  readonly missing: boolean;
  /** The text of the file when the change was proposed, and this text with all changes. */
  readonly before: string;
  readonly after: string;
  /** The current text of the file, which the positions of the hunks refer to. */
  readonly text: string;
  readonly hunks: readonly AnchoredHunk[];
  /** The hunks in earlier and later texts of the file, for undo and redo. */
  readonly steps: UndoSteps;
  /** The lines that the question was about, if known; updated with the text. */
  readonly asked: Span | undefined;
  readonly unplaced: readonly UnplacedEdit[];
  /** The line end of the document; a text of one line doesn't show it. Earlier versions didn't store it. */
  readonly lineEnd?: LineEnd | undefined;
  /** The later proposal that replaces this one for this file. Its hunks can no longer be accepted. */
  readonly replacedBy: string | undefined;
  /** The other proposals, by their IDs, that stay under review in this file beside this one. Earlier versions had none. */
  readonly beside?: readonly string[] | undefined;
  /** Proposals with undecided hunks in this file that this one has replaced, although nobody asked for that. */
  readonly displaced?: readonly Displaced[] | undefined;
}

export interface Displaced {
  /** The ID of the proposal. */
  readonly id: string;
  /** The number of its hunks that were not reviewed. */
  readonly open: number;
}

/** Why an answer is not a proposal, or only part of one. */
export type ProposalTrouble =
  /** The reason is in the log. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'malformed'; readonly malformed: MalformedField }
  | { readonly kind: 'no-change' }
  | { readonly kind: 'several-blocks'; readonly count: number }
  /** Blocks that name no file, beside others that do. */
  | { readonly kind: 'unnamed-blocks'; readonly count: number }
  /** The lines that were sent no longer exist, or exist several times. */
  | { readonly kind: 'lines-changed'; readonly label: string };

export interface Proposal {
  readonly id: string;
  /** The turn with the answer. */
  readonly turnId: string;
  readonly conversationId: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly files: readonly FileProposal[];
  readonly trouble: ProposalTrouble | undefined;
  /** The proposal that this one revises. */
  readonly revises: string | undefined;
}

export interface FileTexts {
  readonly uri: string;
  readonly label: string;
  readonly isNew: boolean;
  readonly before: string;
  readonly after: string;
  readonly asked: Span | undefined;
  readonly unplaced: readonly UnplacedEdit[];
  /** The line end of the document, for a text without one. */
  readonly lineEnd?: LineEnd | undefined;
}

/** The proposal for a file whose current text is `before`. */
export function toFileProposal(texts: FileTexts): FileProposal {
  return {
    ...texts,
    text: texts.before,
    missing: false,
    hunks: anchorHunks(toHunks(texts.before, texts.after)),
    steps: NO_STEPS,
    lineEnd: lineEndOf(texts.before, texts.lineEnd),
    replacedBy: undefined,
  };
}

export function withRejected(file: FileProposal, hunkIds: ReadonlySet<string>): FileProposal {
  return { ...file, hunks: file.hunks.map((one) => (hunkIds.has(one.hunk.id) ? rejectHunk(one) : one)) };
}

/** Whether one of the hunks is open in the lines of another hunk, so that both can't be applied. */
export const hasOpenIn = (hunks: readonly AnchoredHunk[], one: AnchoredHunk): boolean =>
  hunks.some((other) => other.state === 'open' && overlap(other, one));

/**
 * The file with its rejected hunks under review again. After undo and redo, they are found by their lines. If a hunk that got its
 * place later is open in the lines of a rejected one, the latter stays rejected, because both can't be applied.
 */
export function withRestored(file: FileProposal): FileProposal {
  const hunks = file.hunks.reduce(
    (all, one) =>
      one.state === 'rejected' && !hasOpenIn(all, one)
        ? all.map((other) => (other === one ? restoreHunk(one, file.text) : other))
        : all,
    file.hunks,
  );
  const left = new Set(hunks.flatMap(({ hunk, state }) => (state === 'rejected' ? [hunk.id] : [])));
  const inSteps = (texts: UndoSteps['back']): UndoSteps['back'] =>
    texts.map((one) => ({
      ...one,
      hunks: one.hunks.filter(({ state, hunk }) => state !== 'rejected' || left.has(hunk.id)),
    }));
  const { steps } = file;
  return {
    ...file,
    hunks,
    steps: { back: inSteps(steps.back), ahead: inSteps(steps.ahead), left: inSteps(steps.left) },
  };
}

/** A file that is under review again: a replaced file as it was, any other file with its rejected hunks restored. */
export const withReopened = (file: FileProposal): FileProposal =>
  file.replacedBy === undefined ? withRestored(file) : { ...file, replacedBy: undefined };

/** Whether a file has rejected hunks that can be restored. A replaced file has to be taken up again first. */
export const hasRejected = ({ hunks, replacedBy }: Pick<FileProposal, 'hunks' | 'replacedBy'>): boolean =>
  replacedBy === undefined && hunks.some(({ state }) => state === 'rejected');

/** A file that the proposal created, as a new file again, so that it can be created once more. */
export const toNewAgain = (file: FileProposal): FileProposal => ({
  ...toFileProposal({ ...file, isNew: true, before: '' }),
  created: undefined,
  createdEmpty: undefined,
  replacedBy: file.replacedBy,
});

/**
 * A file that was proposed as new, created by someone else, and deleted since. It becomes a new file again if `hunkIds`, the hunks
 * to accept, are all of its hunks and none is decided.
 */
export function withNewAgain(file: FileProposal, hunkIds: ReadonlySet<string>): FileProposal {
  const isWhole = file.hunks.every((one) => hunkIds.has(one.hunk.id) && isUndecidedHunk(one));
  return file.created === false && isWhole ? toNewAgain(file) : file;
}

export type Counts = Readonly<Record<HunkState, number>>;

/** The number of hunks in each state. */
export function countHunks({ hunks }: Pick<FileProposal, 'hunks'>): Counts {
  const counts = { open: 0, accepted: 0, rejected: 0, stale: 0 };
  for (const { state } of hunks) counts[state] += 1;
  return counts;
}

export const isUndecidedHunk = ({ state }: Pick<AnchoredHunk, 'state'>): boolean =>
  state === 'open' || state === 'stale';

/** Whether a file has undecided hunks and is not replaced. */
export const isUndecided = ({ hunks, replacedBy }: Pick<FileProposal, 'hunks' | 'replacedBy'>): boolean =>
  replacedBy === undefined && hunks.some(isUndecidedHunk);

/** Whether a proposal has files with undecided hunks. */
export const isUnderReview = ({ files }: Pick<Proposal, 'files'>): boolean => files.some(isUndecided);

/**
 * Marks the files of a proposal that a later one changes, too, as replaced, unless both proposals stand beside each other, or the
 * later one is rejected there.
 */
export function withReplaced(proposal: Proposal, later: Pick<Proposal, 'id' | 'files'>): Proposal {
  const uris = new Set(
    later.files
      .filter(({ beside }) => beside?.includes(proposal.id) !== true)
      .filter(({ hunks }) => hunks.some(({ state }) => state !== 'rejected'))
      .map(({ uri }) => uri),
  );
  if (!proposal.files.some((file) => uris.has(file.uri) && isUndecided(file))) return proposal;
  return {
    ...proposal,
    files: proposal.files.map((file) =>
      uris.has(file.uri) && isUndecided(file) ? { ...file, replacedBy: later.id } : file,
    ),
  };
}

/** The file without another proposal in its list of displaced ones; the same object if it wasn't there. */
export function withoutDisplaced(file: FileProposal, proposalId: string): FileProposal {
  const { displaced = [] } = file;
  const others = displaced.filter(({ id }) => id !== proposalId);
  return others.length === displaced.length ? file : { ...file, displaced: others };
}

/** The proposal with a new state of one file; the same object if nothing changed. */
export function withFile(
  proposal: Proposal,
  uri: string,
  change: (file: FileProposal) => FileProposal,
): Proposal {
  let changed = false;
  const files = proposal.files.map((file) => {
    if (file.uri !== uri) return file;
    const next = change(file);
    changed ||= next !== file;
    return next;
  });
  return changed ? { ...proposal, files } : proposal;
}
