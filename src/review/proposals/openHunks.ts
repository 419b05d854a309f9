/** Applies the open hunks of a file: to show them, to accept them, or to propose more on top of them. */

import type { LineEnd } from '../edits/editPlacement.ts';
import { type TextEdit, toTextEdit } from '../hunks/anchors.ts';
import { withTextNow } from './fileChanges.ts';
import { type FileProposal, isUndecided } from './proposal.ts';

/** The current text of a file with all open hunks applied. */
export function toOpenText({ text, after, isNew, hunks }: FileProposal): string {
  if (isNew) return after;
  return hunks
    .filter(({ state }) => state === 'open')
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { hunk, from, to }) => all.slice(0, from) + hunk.after + all.slice(to), text);
}

export interface Acceptance {
  /** The edits that accept the hunks, in the text as it is now. */
  readonly edits: readonly TextEdit[];
  /** How many of the hunks can't be applied because their lines have changed. */
  readonly stale: number;
}

/** The edits that accept some hunks of a file. */
export function toAcceptance(
  { hunks }: Pick<FileProposal, 'hunks'>,
  hunkIds: ReadonlySet<string>,
): Acceptance {
  const chosen = hunks.filter(({ hunk }) => hunkIds.has(hunk.id));
  return {
    edits: chosen.map(toTextEdit).filter((edit) => edit !== undefined),
    stale: chosen.filter(({ state }) => state === 'stale').length,
  };
}

export interface CarriedOver {
  /** The text that further edits are placed in. */
  readonly base: string;
  /** The number of outdated hunks, which can't be carried over. */
  readonly dropped: number;
}

/**
 * The base text for further edits of a file that already has a proposal. Its open hunks are applied, so that the next proposal
 * includes them. Rejected hunks are not.
 *
 * @param earlier the proposal that the next one replaces; undefined if there is none
 * @param text the current text of the file
 * @param lineEnd the line end of the document, for a text without one
 */
export function carryOver(earlier: FileProposal | undefined, text: string, lineEnd?: LineEnd): CarriedOver {
  if (earlier === undefined || !isUndecided(earlier)) return { base: text, dropped: 0 };
  const now = earlier.isNew && text === '' ? earlier : withTextNow(earlier, text, lineEnd);
  return { base: toOpenText(now), dropped: now.hunks.filter(({ state }) => state === 'stale').length };
}
