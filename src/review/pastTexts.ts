/** The hunks of a file in its earlier texts, for when the user undoes edits. */
import { createHash } from 'node:crypto';
import { type AnchoredHunk, type HunkState, rejectHunk } from './anchors.ts';

/** Positions of the hunks in an earlier text, which is identified by its hash. */
export interface PastText {
  readonly hash: string;
  readonly hunks: readonly AnchoredHunk[];
}

/** A text, the hunks in it, and those in earlier texts, newest last. */
interface Followed {
  readonly text: string;
  readonly hunks: readonly AnchoredHunk[];
  readonly past: readonly PastText[];
}

/** Number of earlier texts that are kept. After more undo steps, hunks are found by their lines. */
const MAX_PAST_TEXTS = 50;

/** If the text is the same as an earlier one, its hunks are restored, so that undo never loses one. */
export function withHunks<T extends Followed>(file: T, hunks: readonly AnchoredHunk[], text: string): T {
  const hash = hashOf(text);
  const known = file.past.findLast((one) => one.hash === hash);
  if (known === undefined) {
    const past = [...file.past.slice(1 - MAX_PAST_TEXTS), { hash: hashOf(file.text), hunks: file.hunks }];
    return { ...file, text, hunks, past };
  }
  const rejected = idsIn(hunks, 'rejected');
  const open = idsIn(file.hunks, 'open');
  // A change that had no place in the earlier text became a hunk since.
  const back = hunks.map((now) => {
    const then = known.hunks.find(({ hunk }) => hunk.id === now.hunk.id);
    if (then === undefined || (open.has(now.hunk.id) && isFollowed(now, then))) return now;
    return rejected.has(then.hunk.id) ? rejectHunk(then) : then;
  });
  const past = [
    ...file.past.filter((one) => one.hash !== hash),
    { hash: hashOf(file.text), hunks: file.hunks },
  ];
  return { ...file, text, hunks: back, past };
}

/**
 * The same text can be reached on two ways, such as by deleting one of two equal lines. A hunk that was open and was
 * followed to its lines is where they are. That the line above an insertion is there says less.
 */
const isFollowed = ({ hunk, state }: AnchoredHunk, then: AnchoredHunk): boolean =>
  state === 'accepted' || (state === 'open' && (hunk.before.length > hunk.lead || then.state === 'stale'));

const idsIn = (hunks: readonly AnchoredHunk[], wanted: HunkState): ReadonlySet<string> =>
  new Set(hunks.filter(({ state }) => state === wanted).map(({ hunk }) => hunk.id));

const hashOf = (text: string): string => createHash('sha1').update(text).digest('base64');
