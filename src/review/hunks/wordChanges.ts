/** Compares the deleted and the added lines of a hunk by words. */
import { diffWordsWithSpace } from 'diff';
import type { Span } from '../edits/linePlaces.ts';

export interface WordChanges {
  readonly deleted: readonly Span[];
  readonly added: readonly Span[];
}

const NONE: WordChanges = { deleted: [], added: [] };

/** Longer hunks are not compared by words, because that can take seconds. In characters of both texts. */
const MAX_CHARACTERS = 20_000;
/** The longest that a comparison may take, in milliseconds. */
const TIMEOUT_MS = 50;
/** The smallest fraction that the texts must have in common. Otherwise nearly every word would be marked, which doesn't help. */
const MIN_COMMON = 0.3;

/** The changed words of both texts. Nothing when one is empty, or when they have little in common. */
export function toWordChanges(deleted: string, added: string): WordChanges {
  if (deleted === '' || added === '' || deleted.length + added.length > MAX_CHARACTERS) return NONE;
  const changes = diffWordsWithSpace(deleted, added, { timeout: TIMEOUT_MS });
  if (changes === undefined) return NONE;
  const result: { readonly deleted: Span[]; readonly added: Span[] } = { deleted: [], added: [] };
  let common = 0;
  let from = 0;
  let to = 0;
  for (const change of changes) {
    const { length } = change.value;
    if (change.removed) result.deleted.push({ from, to: from + length });
    else if (change.added) result.added.push({ from: to, to: to + length });
    else common += change.value.trim().length;
    if (!change.added) from += length;
    if (!change.removed) to += length;
  }
  const shortest = Math.min(deleted.trim().length, added.trim().length);
  return common < shortest * MIN_COMMON ? NONE : result;
}
