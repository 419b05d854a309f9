/** The hunks of a file in the text in which they were accepted. */
import type { AnchoredHunk } from '../hunks/anchors.ts';
import { NO_STEPS } from '../hunks/undoSteps.ts';
import type { FileProposal } from './proposal.ts';

/**
 * The file with its accepted hunks, in the text for which it was proposed with these hunks alone. So their places are known, also if
 * they were lost in a later text. Undefined if a hunk isn't for that text, because it got its place later or was changed by a save.
 */
export function asAccepted(file: FileProposal): FileProposal | undefined {
  const hunks: AnchoredHunk[] = [];
  let text = '';
  let end = 0;
  for (const { hunk } of file.hunks
    .filter(({ state }) => state === 'accepted')
    .toSorted((a, b) => a.hunk.offset - b.hunk.offset)) {
    const { offset, before, after, lead } = hunk;
    if (offset + lead < end || !file.before.startsWith(before, offset)) return undefined;
    text += file.before.slice(end, offset + lead);
    const from = text.length - lead;
    text += after.slice(lead);
    hunks.push({ hunk, from, to: from + after.length, state: 'accepted', torn: false });
    end = offset + before.length;
  }
  return { ...file, text: text + file.before.slice(end), hunks, steps: NO_STEPS };
}
