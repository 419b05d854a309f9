/** Finds accepted hunks again in a text that changed unobserved. */
import { diffLines } from './hunks.ts';
import type { FileProposal } from './proposal.ts';

/**
 * Finds accepted hunks whose place isn't known after a change that was not observed, because a line above or below them
 * is another one: those whose lines are in the text once, before and after it, in a part that didn't change.
 */
export function withPlaces(known: FileProposal, file: FileProposal): FileProposal {
  const lost = file.hunks.filter(({ state, torn }) => state === 'accepted' && torn);
  if (lost.length === 0) return file;
  const toPlace = placesIn(known.text, file.text);
  const hunks = file.hunks.map((one) => {
    const before = known.hunks.find(({ hunk }) => hunk.id === one.hunk.id);
    if (!lost.includes(one) || before === undefined || before.torn) return one;
    const from = toPlace(before.from, before.to);
    const lines = one.hunk.after;
    const isSame = from !== undefined && file.text.startsWith(lines, from);
    return isSame && isOnce(known.text, lines) && isOnce(file.text, lines)
      ? { ...one, from, to: from + lines.length, torn: false }
      : one;
  });
  return { ...file, hunks };
}

/** Where a range of one text is in another one; undefined if it was changed. */
function placesIn(before: string, after: string) {
  let at = 0;
  let now = 0;
  const same = diffLines(before, after).flatMap(({ from, to }) => {
    const stretch = { from: at, to: at + from.length, moved: now - at };
    at += from.length;
    now += to.length;
    return from === to ? [stretch] : [];
  });
  return (from: number, to: number): number | undefined => {
    const stretch = same.find((one) => one.from <= from && to <= one.to);
    return stretch && from + stretch.moved;
  };
}

function isOnce(text: string, lines: string): boolean {
  const first = lines === '' ? -1 : text.indexOf(lines);
  return first !== -1 && text.indexOf(lines, first + 1) === -1;
}
