/** Keeps the hunks of a file in its earlier and later texts, for undo and redo. */
import { createHash } from 'node:crypto';
import { type AnchoredHunk, type HunkState, isWholeLines, rejectHunk, restoreHunk } from './anchors.ts';

/** Why a text changed. Typing an earlier text, reverting to it, and checking it out with Git are edits, too. */
export type ChangeReason = 'undo' | 'redo' | 'edit';

/** The hunks in another text of the file, which is identified by its hash. */
interface OtherText {
  readonly hash: string;
  readonly hunks: readonly AnchoredHunk[];
}

/** The other texts, the nearest one last. The same text can occur several times, with other hunks. */
export interface UndoSteps {
  /** The texts that undo leads to. */
  readonly back: readonly OtherText[];
  /** The texts that redo leads to. */
  readonly ahead: readonly OtherText[];
  /** The texts that redo led to until there was another edit. The user may still type one of them. */
  readonly left: readonly OtherText[];
}

/** The steps of a file whose text hasn't changed. */
export const NO_STEPS: UndoSteps = { back: [], ahead: [], left: [] };

/** A text, its hunks, and the hunks in its other texts. */
interface Followed {
  readonly text: string;
  readonly hunks: readonly AnchoredHunk[];
  readonly steps: UndoSteps;
}

/** The number of texts that each list keeps. After more steps of undo, hunks are found by their lines. */
const MAX_TEXTS = 50;

/**
 * The file with another text.
 *
 * If undo or redo leads to the text, the hunks are as they were in it, so that undo never loses a hunk. If an edit leads to an
 * earlier text, the hunks are as they were in it most recently, unless they were followed to their lines.
 *
 * @param hunks the hunks of the file, followed to their places in `text`
 */
export function withHunks<T extends Followed>(
  file: T,
  hunks: readonly AnchoredHunk[],
  text: string,
  reason: ChangeReason,
): T {
  const hash = hashOf(text);
  const step = findStep(file.steps, hash, reason);
  const steps = toSteps(file, step, reason);
  const known = step ?? lastWith(file.steps, hash);
  if (known === undefined) return { ...file, text, hunks, steps };
  const rejected = idsIn(hunks, 'rejected');
  const wasRejected = idsIn(file.hunks, 'rejected');
  // If it was rejected in the text before as well, its lines only seem to have come. Undo passes no lines that the user typed.
  const isStill = (then: AnchoredHunk) =>
    (step !== undefined || then.state === 'rejected') && wasRejected.has(then.hunk.id);
  const open = idsIn(file.hunks, 'open');
  const accepted = idsIn(file.hunks, 'accepted');
  const isKept = step === undefined ? isFollowed : isFound;
  const back = hunks.map((now) => {
    const then = known.hunks.find(({ hunk }) => hunk.id === now.hunk.id);
    // The hunk was created later, when a change without a place got one.
    if (then === undefined || (open.has(now.hunk.id) && isKept(now, then))) return now;
    // If the hunk has got its last line end since, it is restored as it was in the text without one.
    const isSame = now.hunk.after === then.hunk.after;
    if (step === undefined && (isPutBackOf(now, then) || isPutBackOf(then, now))) return now;
    if (step === undefined && accepted.has(now.hunk.id) && isSame && hasItsLines(now, text)) return now;
    if (rejected.has(then.hunk.id) || isStill(then)) return rejectHunk(then);
    // A hunk that was rejected in that text was accepted since, for example by redo.
    return step === undefined ? restoreHunk(then, text) : then;
  });
  return { ...file, text, hunks: back, steps };
}

/** The file with one more text that undo leads to, and its hunks. */
export const withStep = <T extends Followed>(
  file: T,
  { text, hunks }: Pick<Followed, 'text' | 'hunks'>,
): T => ({
  ...file,
  steps: { ...file.steps, back: toNearest([...file.steps.back, { hash: hashOf(text), hunks }]) },
});

/** Whether undo or redo leads from a file to a text that is known. */
export const isStep = ({ steps }: Pick<Followed, 'steps'>, text: string, reason: ChangeReason): boolean =>
  // The text is hashed only if there are steps. Most files of earlier proposals have none.
  textsTo(steps, reason).length > 0 && findStep(steps, hashOf(text), reason) !== undefined;

/** The text that undo or redo leads to. Editors undo several typed characters at once, so it can be further away. */
const findStep = (steps: UndoSteps, hash: string, reason: ChangeReason): OtherText | undefined =>
  textsTo(steps, reason).findLast((one) => one.hash === hash);

const textsTo = ({ back, ahead }: UndoSteps, reason: ChangeReason): readonly OtherText[] =>
  reason === 'edit' ? [] : reason === 'undo' ? back : ahead;

/** The most recent text with this hash. */
const lastWith = ({ back, ahead, left }: UndoSteps, hash: string): OtherText | undefined =>
  [...left, ...back, ...ahead].findLast((one) => one.hash === hash);

/** The steps after a change to another text. */
function toSteps(file: Followed, to: OtherText | undefined, reason: ChangeReason): UndoSteps {
  const { back, ahead, left } = file.steps;
  const here = { hash: hashOf(file.text), hunks: file.hunks };
  if (reason === 'undo') {
    const { beyond, passed } = split(back, to);
    return { back: beyond, ahead: toNearest([...ahead, here, ...passed]), left };
  }
  if (reason === 'redo') {
    const { beyond, passed } = split(ahead, to);
    return { back: toNearest([...back, here, ...passed]), ahead: beyond, left };
  }
  return { back: toNearest([...back, here]), ahead: [], left: toNearest([...left, ...ahead]) };
}

/**
 * Splits texts into those beyond `to`, and those that are passed on the way to it, the first one first. If `to` isn't among the
 * texts, it is beyond all of them.
 */
function split(texts: readonly OtherText[], to: OtherText | undefined) {
  const at = to === undefined ? -1 : texts.lastIndexOf(to);
  return { beyond: texts.slice(0, Math.max(0, at)), passed: texts.slice(at + 1).reverse() };
}

const toNearest = (texts: readonly OtherText[]): readonly OtherText[] => texts.slice(-MAX_TEXTS);

/** Whether both have the original lines of a hunk, which is open in the other one, and which a later proposal has put back in the one. */
const isPutBackOf = (one: AnchoredHunk, other: AnchoredHunk): boolean =>
  one.putBack === true && other.state === 'open';

/** Whether a hunk was stale in that text and is open now, because its lines were found. */
const isFound = ({ state }: AnchoredHunk, then: AnchoredHunk): boolean =>
  state === 'open' && then.state === 'stale';

/**
 * Whether the current place of a hunk is kept. The same text can be reached in two ways, such as by deleting either of two equal
 * lines, so a hunk that was open and was followed to its lines stays there. For a hunk that only inserts lines, the line above says
 * too little.
 */
const isFollowed = (now: AnchoredHunk, then: AnchoredHunk): boolean =>
  now.state === 'accepted' ||
  isFound(now, then) ||
  (now.state === 'open' && now.hunk.before.length > now.hunk.lead);

/** Whether the lines of an accepted hunk are still at its place. Then an equal line beside them was deleted. */
const hasItsLines = ({ hunk, state, from, to }: AnchoredHunk, text: string): boolean =>
  state === 'accepted' &&
  hunk.after !== '' &&
  text.slice(from, to) === hunk.after &&
  isWholeLines(hunk, text, from, to);

const idsIn = (hunks: readonly AnchoredHunk[], wanted: HunkState): ReadonlySet<string> =>
  new Set(hunks.filter(({ state }) => state === wanted).map(({ hunk }) => hunk.id));

const hashOf = (text: string): string => createHash('sha1').update(text).digest('base64');
