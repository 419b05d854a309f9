/**
 * Plans taking back accepted hunks: the replacements in each file, and the hunks that are kept because their text is no longer there
 * as it was accepted. The plan depends on texts alone, so that nothing that the user wrote since is replaced.
 */
import { groupBy } from '../../text/groupBy.ts';
import type { LineEnd, Span } from '../edits/editPlacement.ts';
import { type AnchoredHunk, type TextEdit, toStale } from '../hunks/anchors.ts';
import { diffLines } from '../hunks/hunks.ts';
import type { TextChange } from '../hunks/lineChanges.ts';
import { withStep } from '../hunks/undoSteps.ts';
import { withMissing } from './fileChanges.ts';
import { withPlaces, withPutBack } from './hunkPlaces.ts';
import type { FileProposal, Proposal } from './proposal.ts';
import { withChanges, withText } from './proposalTextChanges.ts';
import { acceptedIn, type KeptReason, takeBack } from './takeBack.ts';

/** The current state of a file, with unsaved changes. `lineEnd` is that of the document. */
export interface FileNow {
  readonly text: string;
  readonly lineEnd?: LineEnd | undefined;
}

/** Why nothing in a file can be taken back. */
export type NotRead = Extract<KeptReason, 'missing' | 'unreadable' | 'notebook' | 'read-only'>;

/** An accepted hunk that isn't taken back. */
export interface KeptHunk {
  readonly proposalId: string;
  readonly uri: string;
  readonly label: string;
  readonly hunkId: string;
  readonly reason: KeptReason;
}

/** A file in which hunks are taken back. */
export interface FileRevert {
  readonly uri: string;
  readonly label: string;
  /** The text now, which the positions refer to. */
  readonly text: string;
  /** The text afterwards. Undefined if the file is deleted, because a hunk created it. */
  readonly next: string | undefined;
  readonly edits: readonly TextEdit[];
  /** The hunks that are taken back. */
  readonly hunks: readonly Pick<KeptHunk, 'proposalId' | 'hunkId'>[];
  /** Deleted and added text, hunk by hunk. */
  readonly parts: readonly { readonly before: string; readonly after: string }[];
  /** For each proposal with such a hunk, the file as it is afterwards. */
  readonly files: readonly { readonly proposalId: string; readonly file: FileProposal }[];
}

export interface RevertPlan {
  readonly files: readonly FileRevert[];
  readonly kept: readonly KeptHunk[];
  /** The number of hunks that are taken back. */
  readonly count: number;
}

/** A file in a proposal. */
interface AcceptedFile {
  readonly proposalId: string;
  readonly file: FileProposal;
}

/** The hunks of a file as kept ones, for a file that is left out of the plan after all. */
export const keptIn = ({ uri, label, hunks }: FileRevert, reason: KeptReason): readonly KeptHunk[] =>
  hunks.map((one) => ({ ...one, uri, label, reason }));

/** The number of accepted hunks in a proposal's file. */
export const countAccepted = ({ hunks }: Pick<FileProposal, 'hunks'>): number =>
  hunks.filter(({ state }) => state === 'accepted').length;

/** The files of proposals that have accepted hunks. */
export const acceptedFiles = (
  proposals: readonly Pick<Proposal, 'id' | 'files'>[],
): readonly AcceptedFile[] =>
  proposals.flatMap(({ id, files }) =>
    files.filter((file) => countAccepted(file) > 0).map((file) => ({ proposalId: id, file })),
  );

/**
 * Plans taking back all accepted hunks of some proposals. The last proposal is taken back first, so that lines that it changed are
 * again as an earlier hunk left them.
 *
 * @param proposals the oldest first
 * @param look returns the current state of a file
 */
export function planRevert(
  proposals: readonly Pick<Proposal, 'id' | 'files'>[],
  look: (uri: string) => FileNow | NotRead,
): RevertPlan {
  const byUri = groupBy(acceptedFiles(proposals).toReversed(), ({ file }) => file.uri);
  const plans = [...byUri].map(([uri, steps]) => {
    const now = look(uri);
    return typeof now === 'string'
      ? { kept: steps.flatMap((step) => keep(step, acceptedIn(step.file), now)), file: undefined, count: 0 }
      : planFile(steps, now);
  });
  return {
    files: plans.flatMap(({ file }) => file ?? []),
    kept: plans.flatMap(({ kept }) => kept),
    count: plans.reduce((sum, { count }) => sum + count, 0),
  };
}

interface FilePlan {
  readonly file: FileRevert | undefined;
  readonly kept: readonly KeptHunk[];
  readonly count: number;
}

/** @param steps the last proposal first */
function planFile(steps: readonly AcceptedFile[], now: FileNow): FilePlan {
  let text: string | undefined = now.text;
  let files: readonly (AcceptedFile & { readonly taken: ReadonlySet<string> })[] = [];
  let back: readonly Span[] = [];
  const kept: KeptHunk[] = [];
  const parts: { before: string; after: string }[] = [];
  const hunks: { proposalId: string; hunkId: string }[] = [];
  const inNow = steps.map(({ file }) => withPlaces(file, withText(file, now.text, now.lineEnd)));
  // Earlier proposals are followed through each change that takes a later one back. The texts in between are no steps of the editor.
  let followed = inNow;
  for (const [at, step] of steps.entries()) {
    const taken = takeBack(step.file, followed[at] ?? step.file, { text, lineEnd: now.lineEnd, back });
    kept.push(...keep(step, taken.kept, taken.reason));
    if (taken.file === undefined) continue;
    const { next, changes } = taken;
    // A proposal that doesn't follow the text doesn't know the later changes, but undo leads back to the current text, so it is kept
    // as a step.
    const file = withStep(taken.file, inNow[at] ?? step.file);
    parts.push(...taken.parts);
    hunks.push(...taken.taken.map((hunkId) => ({ proposalId: step.proposalId, hunkId })));
    files = [
      ...files.map((one) => ({
        ...one,
        file: withoutAccepted(follow(one.file, changes, next, now.lineEnd), one.taken),
      })),
      { proposalId: step.proposalId, file, taken: new Set(taken.taken) },
    ];
    followed = followed.map((one, index) =>
      index > at ? { ...follow(one, changes, next, now.lineEnd), steps: one.steps } : one,
    );
    text = next;
    back = withPutBack(back, changes);
  }
  const [first] = steps;
  if (first === undefined || files.length === 0) return { file: undefined, kept, count: 0 };
  const { uri, label } = first.file;
  const edits = text === undefined ? [] : toEdits(now.text, text);
  const left = files.map(({ proposalId, file }) => ({ proposalId, file }));
  const file = { uri, label, text: now.text, next: text, edits, hunks, parts, files: left };
  return { file, kept, count: parts.length };
}

const keep = (
  { proposalId, file: { uri, label } }: AcceptedFile,
  hunks: readonly AnchoredHunk[],
  reason: KeptReason,
): readonly KeptHunk[] => hunks.map(({ hunk }) => ({ proposalId, uri, label, hunkId: hunk.id, reason }));

/** The file of a later proposal after an earlier proposal was taken back as well. */
const follow = (
  file: FileProposal,
  changes: readonly TextChange[],
  next: string | undefined,
  lineEnd: LineEnd | undefined,
): FileProposal => (next === undefined ? withMissing(file, true) : withChanges(file, changes, next, lineEnd));

/**
 * The file of a later proposal in which no hunk that was taken back is accepted. If it had put the original lines of an earlier hunk
 * back, these are there again when that one is taken back, too. Then it is outdated, and stays so.
 */
const withoutAccepted = (file: FileProposal, taken: ReadonlySet<string>): FileProposal => ({
  ...file,
  hunks: file.hunks.map((one) =>
    one.state === 'accepted' && taken.has(one.hunk.id) ? { ...toStale(one), torn: true } : one,
  ),
});

/** The replacements of complete lines that turn one text into another. */
function toEdits(before: string, after: string): readonly TextEdit[] {
  let at = 0;
  return diffLines(before, after).flatMap(({ from, to }) => {
    const edit = { from: at, to: at + from.length, text: to };
    at = edit.to;
    return from === to ? [] : [edit];
  });
}

/**
 * The text of a file without an accepted hunk, to compare it with the current text: the old lines are at the place of the hunk. If
 * this place isn't known, the text before the proposal.
 *
 * @param now the current state of the file
 */
export function toTextWithout(known: FileProposal, hunkId: string, now: FileNow): string {
  const file = withPlaces(known, withText(known, now.text, now.lineEnd));
  const one = file.hunks.find(({ hunk }) => hunk.id === hunkId);
  if (one === undefined || one.torn) return file.before;
  return now.text.slice(0, one.from) + one.hunk.before + now.text.slice(one.to);
}
