/** The hunks of a file in its other texts, for when the user undoes and redoes edits. */
import { createHash } from 'node:crypto';
import { type AnchoredHunk, type HunkState, isWholeLines, rejectHunk, restoreHunk } from './anchors.ts';

/** Why a text changed. Typing an earlier text, reverting to it, and checking it out with Git are edits, too. */
export type ChangeReason = 'undo' | 'redo' | 'edit';

/** The hunks in another text of the file, which is identified by its hash. */
interface OtherText {
  readonly hash: string;
  readonly hunks: readonly AnchoredHunk[];
}

/** The other texts, the nearest last. The same text can be there several times, with other hunks. */
export interface UndoSteps {
  /** Those that undo leads to. */
  readonly back: readonly OtherText[];
  /** Those that redo leads to. */
  readonly ahead: readonly OtherText[];
  /** Those that could be redone until there was another edit. The user may still type one of them. */
  readonly left: readonly OtherText[];
}

/** The steps of a file whose text hasn't changed. */
export const NO_STEPS: UndoSteps = { back: [], ahead: [], left: [] };

/** A text, and the hunks in it and in the other ones. */
interface Followed {
  readonly text: string;
  readonly hunks: readonly AnchoredHunk[];
  readonly steps: UndoSteps;
}

/** The number of texts that are kept in each list. After more steps of undo, hunks are found by their lines. */
const MAX_TEXTS = 50;

/**
 * The file with another text.
 *
 * If undo or redo leads to it, the hunks are as they were there, so that undo never loses one. If an edit leads to an
 * earlier text, they are as they were when it was last there, unless they were followed to their lines.
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
  const open = idsIn(file.hunks, 'open');
  const accepted = idsIn(file.hunks, 'accepted');
  const isKept = step === undefined ? isFollowed : isFound;
  const back = hunks.map((now) => {
    const then = known.hunks.find(({ hunk }) => hunk.id === now.hunk.id);
    // A change that had no place in the earlier text became a hunk since.
    if (then === undefined || (open.has(now.hunk.id) && isKept(now, then))) return now;
    // One that got its last line end since is as it was in a text without it.
    const isSame = now.hunk.after === then.hunk.after;
    if (step === undefined && accepted.has(now.hunk.id) && isSame && hasItsLines(now, text)) return now;
    if (rejected.has(then.hunk.id)) return rejectHunk(then);
    // One that was rejected there was accepted since, such as by redo.
    return step === undefined ? restoreHunk(then, text) : then;
  });
  return { ...file, text, hunks: back, steps };
}

/** The file with another text that undo leads to, and the hunks in it. */
export const withStep = <T extends Followed>(
  file: T,
  { text, hunks }: Pick<Followed, 'text' | 'hunks'>,
): T => ({
  ...file,
  steps: { ...file.steps, back: toNearest([...file.steps.back, { hash: hashOf(text), hunks }]) },
});

/** Whether undo or redo leads from a file to a text that is known. */
export const isStep = ({ steps }: Pick<Followed, 'steps'>, text: string, reason: ChangeReason): boolean =>
  // A text is hashed only where that can be known: most files of earlier proposals have no steps.
  textsTo(steps, reason).length > 0 && findStep(steps, hashOf(text), reason) !== undefined;

/** The text that undo or redo leads to. Editors undo several typed characters at once, so it can be further away. */
const findStep = (steps: UndoSteps, hash: string, reason: ChangeReason): OtherText | undefined =>
  textsTo(steps, reason).findLast((one) => one.hash === hash);

const textsTo = ({ back, ahead }: UndoSteps, reason: ChangeReason): readonly OtherText[] =>
  reason === 'edit' ? [] : reason === 'undo' ? back : ahead;

/** Of the texts with this hash, the one that was there last. */
const lastWith = ({ back, ahead, left }: UndoSteps, hash: string): OtherText | undefined =>
  [...left, ...back, ...ahead].findLast((one) => one.hash === hash);

/** The texts around the one that a change leads to. */
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
 * The texts beyond one of them, and those that are passed on the way to it, the first one first. A text that isn't
 * among them is beyond all.
 */
function split(texts: readonly OtherText[], to: OtherText | undefined) {
  const at = to === undefined ? -1 : texts.lastIndexOf(to);
  return { beyond: texts.slice(0, Math.max(0, at)), passed: texts.slice(at + 1).reverse() };
}

const toNearest = (texts: readonly OtherText[]): readonly OtherText[] => texts.slice(-MAX_TEXTS);

/** A hunk that was lost there, and is open now because its lines were found. */
const isFound = ({ state }: AnchoredHunk, then: AnchoredHunk): boolean =>
  state === 'open' && then.state === 'stale';

/**
 * The same text can be reached on two ways, such as by deleting one of two equal lines. A hunk that was open and was
 * followed to its lines is where they are. That the line above an insertion is there says less.
 */
const isFollowed = (now: AnchoredHunk, then: AnchoredHunk): boolean =>
  now.state === 'accepted' ||
  isFound(now, then) ||
  (now.state === 'open' && now.hunk.before.length > now.hunk.lead);

/** An accepted hunk whose lines are still there: an equal line beside them was deleted. */
const hasItsLines = ({ hunk, state, from, to }: AnchoredHunk, text: string): boolean =>
  state === 'accepted' &&
  hunk.after !== '' &&
  text.slice(from, to) === hunk.after &&
  isWholeLines(hunk, text, from, to);

const idsIn = (hunks: readonly AnchoredHunk[], wanted: HunkState): ReadonlySet<string> =>
  new Set(hunks.filter(({ state }) => state === wanted).map(({ hunk }) => hunk.id));

const hashOf = (text: string): string => createHash('sha1').update(text).digest('base64');
