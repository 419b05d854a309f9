/**
 * Follows hunks of the last line when a text gets a final line end. Formatters add one, and so do editors when a file is saved,
 * depending on a setting.
 */

import { lineEndOf } from '../edits/editPlacement.ts';
import { type AnchoredHunk, isWholeLines } from '../hunks/anchors.ts';
import type { TextChange } from '../hunks/lineChanges.ts';
import { isTrimmed } from './trimmedLines.ts';

interface Texts {
  readonly text: string;
  readonly hunks: readonly AnchoredHunk[];
}

const isEnded = (text: string): boolean => text === '' || text.endsWith('\n');

/** The same file as if its text had a final line end. */
function withLastEnd(file: Texts, end: string): Texts {
  const { length } = file.text;
  const ended = (lines: string) => (isEnded(lines) ? lines : lines + end);
  return {
    text: file.text + end,
    hunks: file.hunks.map((one) => ({
      ...one,
      to: one.to === length && one.from < length ? length + end.length : one.to,
      hunk: { ...one.hunk, before: ended(one.hunk.before), after: ended(one.hunk.after) },
    })),
  };
}

/**
 * The hunks of a file after changes of its text. Hunks that can be followed only if their last line has a line end, too, get one.
 *
 * @param follow follows hunks through changes of a text. It is called without changes if they weren't observed
 */
export function followEnded(
  file: Texts,
  changes: readonly TextChange[],
  text: string,
  follow: (file: Texts, changes: readonly TextChange[]) => readonly AnchoredHunk[],
): readonly AnchoredHunk[] {
  const found = follow(file, changes);
  const end = addedEnd(file.text, changes, text);
  if (end === undefined) return found;
  const others = follow(withLastEnd(file, end), withoutEnd(changes, file.text, end));
  return found.map((one, index) => {
    const other = others[index];
    return other !== undefined && !isThere(one, text) && isThere(other, text) ? withOwnEnd(one, other) : one;
  });
}

/** The hunk with the final line end. A hunk that only adds this line end is accepted: the text has it already. */
function withOwnEnd({ hunk }: AnchoredHunk, ended: AnchoredHunk): AnchoredHunk {
  if (ended.hunk.before !== ended.hunk.after) return ended;
  const { putBack: _, ...plain } = ended;
  return { ...plain, hunk, state: 'accepted' };
}

/** Whether the original or the proposed lines of a hunk are at its place in a text. */
const isThere = ({ hunk, from, to, torn }: AnchoredHunk, text: string): boolean =>
  !torn &&
  [hunk.before, hunk.after].some((lines) => isTrimmed(text.slice(from, to), lines)) &&
  isWholeLines(hunk, text, from, to);

/** The final line end that a text gets, or that is inserted behind its last line together with other lines. */
function addedEnd(before: string, changes: readonly TextChange[], after: string): string | undefined {
  if (isEnded(before)) return undefined;
  return after.endsWith('\n') || changes.some((one) => isBehind(one, before)) ? lineEndOf(after) : undefined;
}

const isBehind = ({ offset, inserted }: TextChange, { length }: string): boolean =>
  offset === length && /^\r?\n/.test(inserted);

/** The changes for a text that already has the final line end. */
const withoutEnd = (changes: readonly TextChange[], before: string, end: string): readonly TextChange[] =>
  changes.map((one) => {
    const { offset, removed, inserted } = one;
    if (isBehind(one, before))
      return { offset: offset + end.length, removed, inserted: inserted.slice(end.length) };
    // If the last lines are deleted, the end of the line above them is the final one.
    const endsLine = (inserted || before.slice(0, offset)).endsWith('\n');
    const isLast = offset + removed === before.length && endsLine;
    return isLast ? { offset, removed: removed + end.length, inserted } : one;
  });

/**
 * Whether a text is the proposed text, possibly changed by a save: with a final line end, without trailing white space, or without a
 * byte order mark. The editor writes this mark to the file, but the text of the document doesn't contain it.
 */
export function isAsProposed(text: string, proposed: string): boolean {
  const unmarked = proposed.replace(/^\ufeff/, '');
  const ended = isEnded(unmarked) ? unmarked : unmarked + lineEndOf(text);
  return isTrimmed(text, proposed) || isTrimmed(text, unmarked) || isTrimmed(text, ended);
}
