/** Follows hunks whose lines lose trailing white space. Editors trim it when a file is saved, depending on a setting. */

import { toTrimmed } from '../edits/linePlaces.ts';
import { type AnchoredHunk, isWholeLines } from '../hunks/anchors.ts';

/** An open hunk for the same lines without trailing white space. The same hunk if these aren't at its place. */
export function withTrimmed(one: AnchoredHunk, text: string): AnchoredHunk {
  const { hunk, from, to, state, torn } = one;
  const there = text.slice(from, to);
  const isUndone = state === 'accepted' && !one.putBack && hunk.lead === 0 && !isTrimmed(there, hunk.after);
  const isOpen = (state === 'stale' || isUndone) && !torn && isTrimmed(there, hunk.before);
  if (!isOpen || !isWholeLines(hunk, text, from, to)) return one;
  // If lines are only added, `before` is the line above them.
  const lead = hunk.lead > 0 ? there : '';
  const after = lead + hunk.after.slice(hunk.lead);
  return { ...one, hunk: { ...hunk, before: there, after, lead: lead.length }, state: 'open' };
}

/**
 * Whether lines are the lines before, except for trailing white space that is missing in some of them. Auto save doesn't trim the
 * line of the cursor.
 */
export function isTrimmed(lines: string, before: string): boolean {
  const [there, was] = [lines.split('\n'), before.split('\n')];
  return (
    there.length === was.length && was.every((line, at) => [line, toTrimmed(line)].includes(there[at] ?? ''))
  );
}
