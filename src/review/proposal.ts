/** A proposal as data: changes of files, and the state of each hunk. */
import {
  type AnchoredHunk,
  anchorHunks,
  foldChanges,
  type HunkState,
  reanchorHunks,
  rejectHunk,
} from './anchors.ts';
import { type LineEnd, lineEndOf, type Span, type UnplacedEdit, withLineEnd } from './editPlacement.ts';
import { toHunks } from './hunks.ts';
import { type TextChange, withTextChanges } from './lineChanges.ts';
import type { MalformedField } from './proposalAnswer.ts';
import { type ChangeReason, NO_STEPS, type UndoSteps, withHunks } from './undoSteps.ts';

/** The proposed changes of one file. */
export interface FileProposal {
  readonly uri: string;
  /** The name of the file that is shown to the user. */
  readonly label: string;
  /** The file doesn't exist yet. */
  readonly isNew: boolean;
  /** The proposal created the file: it was new, and now exists with the proposed text. Earlier versions didn't store it. */
  readonly created?: boolean | undefined;
  /** The file was deleted since. Its hunks are kept, but can't be accepted. */
  readonly missing: boolean;
  /** The text of the file when the change was proposed, and the same with all changes. */
  readonly before: string;
  readonly after: string;
  /** The current text of the file, which the positions of the hunks refer to. */
  readonly text: string;
  readonly hunks: readonly AnchoredHunk[];
  /** The hunks in other texts of the file, for when the user undoes and redoes edits. */
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
  /** Why is in the log. */
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

/**
 * The file after edits in the editor, or after it undid or redid some. `lineEnd` is that of the document, for a text
 * without one.
 */
export function withChanges(
  file: FileProposal,
  changes: readonly TextChange[],
  text: string,
  lineEnd?: LineEnd,
  reason: ChangeReason = 'edit',
): FileProposal {
  if (text === file.text && endIn(text, lineEnd, file) === endOf(file)) return file;
  // An earlier proposal that was decided isn't told of changes until it opens again.
  const isReported = withTextChanges(file.text, changes) === text;
  if (endIn(text, lineEnd, file) !== endOf(file) || !isReported) return withText(file, text, lineEnd, reason);
  return {
    ...withHunks(file, foldChanges(file.hunks, changes, file.text, text), text, reason),
    asked: file.asked && changes.toSorted((a, b) => b.offset - a.offset).reduce(moveSpan, file.asked),
  };
}

/** The file with a text that changed unobserved, for example while the window was closed. `lineEnd` as above. */
export function withText(
  known: FileProposal,
  text: string,
  lineEnd?: LineEnd,
  reason: ChangeReason = 'edit',
): FileProposal {
  const file = withLineEnds(known, endIn(text, lineEnd, known));
  if (text === file.text) return file;
  return { ...withHunks(file, reanchorHunks(file.hunks, file.text, text), text, reason), asked: undefined };
}

/** The line end of the hunks. */
const endOf = ({ before, lineEnd }: FileProposal): LineEnd => lineEnd ?? lineEndOf(before);

/** The line end of a text; if it has none, that of its document, or else the one that the file had. */
const endIn = (text: string, lineEnd: LineEnd | undefined, file: FileProposal): LineEnd =>
  lineEndOf(text, lineEnd ?? endOf(file));

/** The same proposal after the line ends of the file were changed. */
function withLineEnds(file: FileProposal, end: LineEnd): FileProposal {
  if (end === endOf(file)) return file;
  const moved = (at: number) => withLineEnd(file.text.slice(0, at), end).length;
  return {
    ...file,
    before: withLineEnd(file.before, end),
    after: withLineEnd(file.after, end),
    text: withLineEnd(file.text, end),
    lineEnd: end,
    asked: file.asked && { from: moved(file.asked.from), to: moved(file.asked.to) },
    steps: NO_STEPS,
    hunks: file.hunks.map((one) => ({
      ...one,
      from: moved(one.from),
      to: moved(one.to),
      hunk: {
        ...one.hunk,
        offset: withLineEnd(file.before.slice(0, one.hunk.offset), end).length,
        before: withLineEnd(one.hunk.before, end),
        after: withLineEnd(one.hunk.after, end),
        lead: withLineEnd(one.hunk.before.slice(0, one.hunk.lead), end).length,
      },
    })),
  };
}

function moveSpan({ from, to }: Span, { offset, removed, inserted }: TextChange): Span {
  const delta = inserted.length - removed;
  if (offset + removed <= from && offset < from) return { from: from + delta, to: to + delta };
  return offset <= to ? { from: Math.min(from, offset), to: Math.max(offset, to + delta) } : { from, to };
}

export function withRejected(file: FileProposal, hunkIds: ReadonlySet<string>): FileProposal {
  return { ...file, hunks: file.hunks.map((one) => (hunkIds.has(one.hunk.id) ? rejectHunk(one) : one)) };
}

/**
 * A file that was proposed as new and now exists, with the proposed text or with another one. `lineEnd` as above. A file
 * without hunks wasn't proposed: it was only named, and didn't exist or couldn't be read.
 */
export function withCreated(known: FileProposal, text: string, lineEnd?: LineEnd): FileProposal {
  if (!known.isNew || known.hunks.length === 0) return known;
  const file = withLineEnds(known, endIn(text, lineEnd, known));
  if (text !== withLineEnd(file.after, endOf(file))) {
    const fresh = toFileProposal({ ...file, isNew: false, before: text });
    const isRejected = file.hunks.every(({ state }) => state === 'rejected');
    return {
      ...fresh,
      hunks: isRejected ? fresh.hunks.map(rejectHunk) : fresh.hunks,
      replacedBy: file.replacedBy,
    };
  }
  return {
    ...file,
    isNew: false,
    created: true,
    text,
    hunks: file.hunks.map((one) => ({ ...one, from: 0, to: text.length, state: 'accepted' })),
  };
}

/** A file that the proposal has created, before it is created again. */
export const toNewAgain = (file: FileProposal): FileProposal => ({
  ...toFileProposal({ ...file, isNew: true, before: '' }),
  created: undefined,
  replacedBy: file.replacedBy,
});

export type Counts = Readonly<Record<HunkState, number>>;

/** The number of hunks in each state. */
export function countHunks({ hunks }: Pick<FileProposal, 'hunks'>): Counts {
  const counts = { open: 0, accepted: 0, rejected: 0, stale: 0 };
  for (const { state } of hunks) counts[state] += 1;
  return counts;
}

/** Whether a file has open hunks and is not replaced. */
export const isUndecided = ({ hunks, replacedBy }: Pick<FileProposal, 'hunks' | 'replacedBy'>): boolean =>
  replacedBy === undefined && hunks.some(({ state }) => state === 'open' || state === 'stale');

/** Whether a proposal has files with open hunks. */
export const isUnderReview = ({ files }: Pick<Proposal, 'files'>): boolean => files.some(isUndecided);

/** Marks the files of a proposal for which a later one has changes as replaced by it, if they aren't beside it. */
export function withReplaced(proposal: Proposal, later: Pick<Proposal, 'id' | 'files'>): Proposal {
  const uris = new Set(
    later.files
      .filter(({ hunks, beside }) => hunks.length > 0 && beside?.includes(proposal.id) !== true)
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

/** A file in which another proposal is not displaced anymore; the same object if it wasn't. */
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
