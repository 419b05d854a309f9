/**
 * Hunks of the last line of a text that gets a last line end. Editors add one when a file is saved, if the user wants that, and so
 * do formatters.
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

/** The same file, as if its text had the last line end. */
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
 * The hunks of a file after changes of its text. Those that can be followed only if they had the last line end as well have it.
 *
 * @param follow follows hunks through changes of a text. Without changes, those of the file are not known
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

/** A hunk that only adds the last line end has nothing to change any more: the user has made its change. */
function withOwnEnd({ hunk }: AnchoredHunk, ended: AnchoredHunk): AnchoredHunk {
  if (ended.hunk.before !== ended.hunk.after) return ended;
  return { ...ended, hunk, state: 'accepted' };
}

/** Whether the lines of a hunk are in a text, the original or the proposed ones. */
const isThere = ({ hunk, from, to, torn }: AnchoredHunk, text: string): boolean =>
  !torn && [hunk.before, hunk.after].includes(text.slice(from, to)) && isWholeLines(hunk, text, from, to);

/** The last line end that a text gets, or that is put behind its last line together with other lines. */
function addedEnd(before: string, changes: readonly TextChange[], after: string): string | undefined {
  if (isEnded(before)) return undefined;
  return after.endsWith('\n') || changes.some((one) => isBehind(one, before)) ? lineEndOf(after) : undefined;
}

const isBehind = ({ offset, inserted }: TextChange, { length }: string): boolean =>
  offset === length && /^\r?\n/.test(inserted);

/** The changes in the text that has the last line end already. */
const withoutEnd = (changes: readonly TextChange[], before: string, end: string): readonly TextChange[] =>
  changes.map((one) => {
    const { offset, removed, inserted } = one;
    if (isBehind(one, before))
      return { offset: offset + end.length, removed, inserted: inserted.slice(end.length) };
    // Without the last lines, the end of the line above them is the last one.
    const endsLine = (inserted || before.slice(0, offset)).endsWith('\n');
    const isLast = offset + removed === before.length && endsLine;
    return isLast ? { offset, removed: removed + end.length, inserted } : one;
  });

/**
 * Whether a text is a proposed one as it can be when it was saved: with the last line end, and without white space at the ends of
 * lines. A mark at its start says how a file is encoded: the editor writes it, and doesn't have it in the text of the document.
 */
export function isAsProposed(text: string, proposed: string): boolean {
  const unmarked = proposed.replace(/^\ufeff/, '');
  const ended = isEnded(unmarked) ? unmarked : unmarked + lineEndOf(text);
  return isTrimmed(text, proposed) || isTrimmed(text, unmarked) || isTrimmed(text, ended);
}
