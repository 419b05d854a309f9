/** Hunks of lines that lose the white space at their ends. Editors trim it when a file is saved, if the user wants that. */

import { toTrimmed } from '../edits/linePlaces.ts';
import { type AnchoredHunk, isWholeLines } from '../hunks/anchors.ts';

/** An open hunk of the same lines without that white space; the same hunk if it is not there. */
export function withTrimmed(one: AnchoredHunk, text: string): AnchoredHunk {
  const { hunk, from, to, state, torn } = one;
  const there = text.slice(from, to);
  if (state !== 'stale' || torn || !isTrimmed(there, hunk.before) || !isWholeLines(hunk, text, from, to))
    return one;
  // The line above lines that are only added.
  const lead = hunk.lead > 0 ? there : '';
  const after = lead + hunk.after.slice(hunk.lead);
  return { ...one, hunk: { ...hunk, before: there, after, lead: lead.length }, state: 'open' };
}

/** Whether lines are others without the white space at the ends of some of them. Auto save leaves the line of the cursor alone. */
export function isTrimmed(lines: string, before: string): boolean {
  const [there, was] = [lines.split('\n'), before.split('\n')];
  return (
    there.length === was.length && was.every((line, at) => [line, toTrimmed(line)].includes(there[at] ?? ''))
  );
}
