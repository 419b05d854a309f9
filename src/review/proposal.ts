/** A proposal as data: changes of files, and what was decided about each hunk. */
import { createHash } from 'node:crypto';
import {
  type AnchoredHunk,
  anchorHunks,
  foldChanges,
  type HunkState,
  reanchorHunks,
  rejectHunk,
  type TextChange,
} from './anchors.ts';
import { type LineEnd, lineEndOf, type Span, type UnplacedEdit, withLineEnd } from './editPlacement.ts';
import { toHunks } from './hunks.ts';
import type { MalformedField } from './proposalAnswer.ts';

/** Where the hunks stood in a text that is known by its hash only. */
export interface PastText {
  readonly hash: string;
  readonly hunks: readonly AnchoredHunk[];
}

/** What is proposed for one file. */
export interface FileProposal {
  readonly uri: string;
  /** The file as the reader knows it. */
  readonly label: string;
  /** The file is not there yet. */
  readonly isNew: boolean;
  /** The text of the file when the change was proposed, and as it would be with all of it. */
  readonly before: string;
  readonly after: string;
  /** The text of the file as it is now; the hunks stand in it. */
  readonly text: string;
  readonly hunks: readonly AnchoredHunk[];
  /** The hunks as they stood in earlier texts, the newest last, for when the reader undoes what was typed. */
  readonly past: readonly PastText[];
  /** The lines that were asked about, as far as they are known; they follow the text as well. */
  readonly asked: Span | undefined;
  readonly unplaced: readonly UnplacedEdit[];
  /** The proposal whose changes of this file came in the place of these: nothing of them can be accepted any more. */
  readonly replacedBy: string | undefined;
}

/** Why an answer is no proposal, or only part of one. */
export type ProposalTrouble =
  | { readonly kind: 'malformed'; readonly malformed: MalformedField }
  | { readonly kind: 'no-change' }
  | { readonly kind: 'several-blocks'; readonly count: number }
  /** The lines that were sent are not there any more, or stand there several times. */
  | { readonly kind: 'lines-changed'; readonly label: string };

export interface Proposal {
  readonly id: string;
  /** The answer that it came from. */
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
}

/** The proposal for a file whose text is `before` now. */
export function toFileProposal(texts: FileTexts): FileProposal {
  return {
    ...texts,
    text: texts.before,
    hunks: anchorHunks(toHunks(texts.before, texts.after)),
    past: [],
    replacedBy: undefined,
  };
}

/** The file after the reader, or anybody, has typed in it. */
export function withChanges(file: FileProposal, changes: readonly TextChange[], text: string): FileProposal {
  if (text === file.text) return file;
  if (hasOtherEnds(file, text)) return withText(file, text);
  return {
    ...withHunks(file, foldChanges(file.hunks, changes, file.text, text), text),
    asked: file.asked && changes.toSorted((a, b) => b.offset - a.offset).reduce(moveSpan, file.asked),
  };
}

/** The file with a text that came about while nobody looked. */
export function withText(known: FileProposal, text: string): FileProposal {
  const file = hasOtherEnds(known, text) ? withLineEnds(known, lineEndOf(text)) : known;
  if (text === file.text) return file;
  return { ...withHunks(file, reanchorHunks(file.hunks, file.text, text), text), asked: undefined };
}

const hasOtherEnds = (file: FileProposal, text: string): boolean =>
  file.text.includes('\n') && text.includes('\n') && lineEndOf(file.text) !== lineEndOf(text);

/** The same proposal for the same file after its line ends were changed. */
function withLineEnds(file: FileProposal, end: LineEnd): FileProposal {
  const moved = (at: number) => withLineEnd(file.text.slice(0, at), end).length;
  return {
    ...file,
    before: withLineEnd(file.before, end),
    after: withLineEnd(file.after, end),
    text: withLineEnd(file.text, end),
    asked: file.asked && { from: moved(file.asked.from), to: moved(file.asked.to) },
    past: [],
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

/** So many texts are remembered; whoever undoes more finds hunks by their lines, as far as that is sure. */
const MOST_PAST = 50;

/** When a text is again what it was, its hunks are where they were: undo never loses one. */
function withHunks(file: FileProposal, hunks: readonly AnchoredHunk[], text: string): FileProposal {
  const hash = hashOf(text);
  const known = file.past.findLast((one) => one.hash === hash);
  if (known === undefined) {
    const past = [...file.past.slice(1 - MOST_PAST), { hash: hashOf(file.text), hunks: file.hunks }];
    return { ...file, text, hunks, past };
  }
  const rejected = new Set(hunks.filter(({ state }) => state === 'rejected').map(({ hunk }) => hunk.id));
  const back = known.hunks.map((one) => (rejected.has(one.hunk.id) ? rejectHunk(one) : one));
  const past = [
    ...file.past.filter((one) => one.hash !== hash),
    { hash: hashOf(file.text), hunks: file.hunks },
  ];
  return { ...file, text, hunks: back, past };
}

const hashOf = (text: string): string => createHash('sha1').update(text).digest('base64');

function moveSpan({ from, to }: Span, { offset, removed, inserted }: TextChange): Span {
  const delta = inserted.length - removed;
  if (offset + removed <= from && offset < from) return { from: from + delta, to: to + delta };
  return offset <= to ? { from: Math.min(from, offset), to: Math.max(offset, to + delta) } : { from, to };
}

export function withRejected(file: FileProposal, hunkIds: ReadonlySet<string>): FileProposal {
  return { ...file, hunks: file.hunks.map((one) => (hunkIds.has(one.hunk.id) ? rejectHunk(one) : one)) };
}

/** A file that was to be new, and is there now: as it was proposed, or with another text, against which it stands. */
export function withCreated(file: FileProposal, text: string): FileProposal {
  if (!file.isNew) return file;
  if (withLineEnd(text, '\n') !== withLineEnd(file.after, '\n')) {
    const after = withLineEnd(file.after, lineEndOf(text));
    const fresh = toFileProposal({ ...file, isNew: false, before: text, after });
    return { ...fresh, replacedBy: file.replacedBy };
  }
  return {
    ...file,
    isNew: false,
    text,
    hunks: file.hunks.map((one) => ({ ...one, from: 0, to: text.length, state: 'accepted' })),
  };
}

export type Counts = Readonly<Record<HunkState, number>>;

/** How many hunks of a file are in each state. */
export function countHunks({ hunks }: Pick<FileProposal, 'hunks'>): Counts {
  const counts = { open: 0, accepted: 0, rejected: 0, stale: 0 };
  for (const { state } of hunks) counts[state] += 1;
  return counts;
}

/** Whether there is something left to decide in a file. */
export const isUndecided = ({ hunks, replacedBy }: Pick<FileProposal, 'hunks' | 'replacedBy'>): boolean =>
  replacedBy === undefined && hunks.some(({ state }) => state === 'open' || state === 'stale');

/** Whether there is something left to decide in a proposal. */
export const isUnderReview = ({ files }: Pick<Proposal, 'files'>): boolean => files.some(isUndecided);

/** A proposal of which parts gave way to a later one: in the files for which that one has something to offer. */
export function withReplaced(proposal: Proposal, later: Pick<Proposal, 'id' | 'files'>): Proposal {
  const uris = new Set(later.files.filter(({ hunks }) => hunks.length > 0).map(({ uri }) => uri));
  if (!proposal.files.some((file) => uris.has(file.uri) && isUndecided(file))) return proposal;
  return {
    ...proposal,
    files: proposal.files.map((file) =>
      uris.has(file.uri) && isUndecided(file) ? { ...file, replacedBy: later.id } : file,
    ),
  };
}

/** The proposal with one of its files in another state; the same object when nothing changed. */
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

/** The proposal after a file, or a folder above it, has another name. */
export function withRenamed(proposal: Proposal, from: string, to: string, label: string): Proposal {
  const meets = ({ uri }: FileProposal) => uri === from || uri.startsWith(`${from}/`);
  if (!proposal.files.some(meets)) return proposal;
  const files = proposal.files.map((file) =>
    meets(file) ? { ...file, uri: to + file.uri.slice(from.length), label: label + rest(file, from) } : file,
  );
  return { ...proposal, files };
}

const rest = ({ uri }: FileProposal, from: string): string => decodeURIComponent(uri.slice(from.length));
