/** Updates the hunks of a file when its text changes, observed or unobserved, and when the file is created. */
import { createHash } from 'node:crypto';
import { type LineEnd, lineEndOf, placeEdits, type Span, withLineEnd } from '../edits/editPlacement.ts';
import { foldChanges, reanchorHunks, rejectHunk } from '../hunks/anchors.ts';
import { type TextChange, withTextChanges } from '../hunks/lineChanges.ts';
import { type ChangeReason, isStep, NO_STEPS, withHunks } from '../hunks/undoSteps.ts';
import { followEnded, isAsProposed } from './lastLineEnd.ts';
import { type FileProposal, toFileProposal } from './proposal.ts';
import { withTrimmed } from './trimmedLines.ts';

/** The file after the editor reported an edit, undo, or redo. `lineEnd` is that of the document, for a text without one. */
export function withChanges(
  file: FileProposal,
  changes: readonly TextChange[],
  text: string,
  lineEnd?: LineEnd,
  reason: ChangeReason = 'edit',
): FileProposal {
  if (text === file.text && endIn(text, lineEnd, file) === endOf(file)) return file;
  // The changes may not lead from the known text to the new one: an earlier proposal that is decided doesn't follow changes until it
  // opens again.
  const isReported = withTextChanges(file.text, changes) === text;
  if (endIn(text, lineEnd, file) !== endOf(file) || !isReported) return withText(file, text, lineEnd, reason);
  const hunks = followEnded(file, changes, text, (one, all) =>
    trimmedIn(foldChanges(one.hunks, all, one.text, text), text),
  );
  return withFilled({
    ...withHunks(file, hunks, text, reason),
    asked: file.asked && changes.toSorted((a, b) => b.offset - a.offset).reduce(moveSpan, file.asked),
  });
}

/** Whether undo or redo has led from the text of a file to a text in which its hunks are known. */
export const isKnownStep = (
  file: FileProposal,
  changes: readonly TextChange[],
  text: string,
  reason: ChangeReason,
): boolean => isStep(file, text, reason) && withTextChanges(file.text, changes) === text;

/** The file with a text that changed unobserved, for example while the window was closed. `lineEnd` as above. */
export function withText(
  known: FileProposal,
  text: string,
  lineEnd?: LineEnd,
  reason: ChangeReason = 'edit',
): FileProposal {
  const file = withLineEnds(known, endIn(text, lineEnd, known));
  if (text === file.text) return file;
  const hunks = followEnded(file, [], text, (one) =>
    trimmedIn(reanchorHunks(one.hunks, one.text, text), text),
  );
  return withFilled({ ...withHunks(file, hunks, text, reason), asked: undefined });
}

/**
 * A file that someone else created empty, when text is written into it or all of it is deleted again: with the hunks as if it had been
 * created with this text. Later text is followed as in any file: otherwise, its lines would be proposed to be deleted.
 */
function withFilled(file: FileProposal): FileProposal {
  const { text, before, createdEmpty, hunks } = file;
  const isDecided = hunks.some(({ state }) => state === 'accepted' || state === 'rejected');
  if (createdEmpty !== true || isDecided || (text !== '' && before !== '')) return file;
  const filled = toFileProposal({ ...file, before: text });
  return {
    ...filled,
    // A dialog about the earlier hunks, or another window with another text, must not decide about these.
    hunks: filled.hunks.map((one) => ({ ...one, hunk: { ...one.hunk, id: `${one.hunk.id}-${idOf(text)}` } })),
    missing: file.missing,
    replacedBy: file.replacedBy,
  };
}

const idOf = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 8);

const trimmedIn = (hunks: FileProposal['hunks'], text: string): FileProposal['hunks'] =>
  hunks.map((one) => withTrimmed(one, text));

/** The line end of the hunks. */
const endOf = ({ before, lineEnd }: FileProposal): LineEnd => lineEnd ?? lineEndOf(before);

/** The line end of a text. If the text has none, that of the document, or else the previous one of the file. */
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

/**
 * A file that was proposed as new and now exists, with the proposed text or another one. It may have got a final line end when it
 * was saved. `lineEnd` as above. A file without hunks wasn't proposed as new: the proposal named it, but it couldn't be read or
 * didn't exist, and is back now.
 */
export function withCreated(known: FileProposal, text: string, lineEnd?: LineEnd): FileProposal {
  if (!known.isNew) return known;
  if (known.hunks.length === 0) return withBack(known, text, lineEnd);
  const file = withLineEnds(known, endIn(text, lineEnd, known));
  if (!isAsProposed(text, withLineEnd(file.after, endOf(file)))) {
    const fresh = toFileProposal({ ...file, isNew: false, before: text });
    const isRejected = file.hunks.every(({ state }) => state === 'rejected');
    return {
      ...fresh,
      created: false,
      createdEmpty: text === '' && !isRejected,
      hunks: isRejected ? fresh.hunks.map(rejectHunk) : fresh.hunks,
      replacedBy: file.replacedBy,
    };
  }
  return {
    ...file,
    isNew: false,
    created: true,
    text,
    hunks: file.hunks.map((one) => ({
      ...one,
      hunk: { ...one.hunk, after: text },
      from: 0,
      to: text.length,
      state: 'accepted',
    })),
  };
}

/** The file with the edits that had no place because the file was missing. */
function withBack(file: FileProposal, text: string, lineEnd: LineEnd | undefined): FileProposal {
  const edits = file.unplaced.filter(({ reason }) => reason === 'file-missing').map(({ edit }) => edit);
  if (edits.length === 0) return file;
  const { after, unplaced } = placeEdits(text, edits, undefined, lineEnd);
  const others = file.unplaced.filter(({ reason }) => reason !== 'file-missing');
  const back = { ...file, isNew: false, before: text, after, lineEnd, unplaced: [...unplaced, ...others] };
  return { ...toFileProposal(back), replacedBy: file.replacedBy };
}
