/**
 * Characters that an editor doesn't display as they are: invisible characters, and characters that change the text direction
 * (docs/security.md, Hidden characters).
 */

import { findEmoji } from './emoji.ts';
import { isSeenJoiner } from './joiners.ts';

export interface HiddenCharacter {
  /** Offset in the text, in UTF-16 code units. */
  readonly offset: number;
  readonly length: number;
  /** For example `U+202E`. */
  readonly code: string;
  readonly kind: 'bidirectional' | 'invisible';
}

const BIDIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * Created when first needed: creating a regular expression with Unicode properties takes longer than running all modules of the
 * extension.
 */
let hidden: RegExp | undefined;

const JOINER = /[\u200c\u200d]/;

/**
 * The hidden characters of a text, in order.
 *
 * @param joiners `hidden` includes joiners that change how letters look; joiners in emoji are never included
 */
export function findHidden(text: string, joiners: 'seen' | 'hidden' = 'seen'): readonly HiddenCharacter[] {
  // Format characters, fillers, selectors and tags, line separators, control characters other than white space, and the blank
  // Braille cell unless it is beside a cell with dots, as between words.
  hidden ??=
    /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|[\ufff9-\ufffb]|(?![\t\n\r])\p{Cc}|(?<![\u2801-\u28ff])\u2800(?![\u2801-\u28ff])/gu;
  const found = [...text.matchAll(hidden)];
  if (found.length === 0) return [];
  const emoji = findEmoji(text);
  // Both lists are in order, so one pass over them is enough.
  let next = 0;
  const isInEmoji = (index: number): boolean => {
    while ((emoji[next]?.to ?? Number.POSITIVE_INFINITY) <= index) next++;
    return (emoji[next]?.from ?? Number.POSITIVE_INFINITY) <= index;
  };
  return found
    .filter(
      ({ index, 0: character }) =>
        !isInEmoji(index) && !(joiners === 'seen' && JOINER.test(character) && isSeenJoiner(text, index)),
    )
    .map(({ index, 0: character }) => ({
      offset: index,
      length: character.length,
      code: toCode(character),
      kind: BIDIRECTIONAL.test(character) ? 'bidirectional' : 'invisible',
    }));
}

function toCode(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The hidden characters that a change adds. If a character occurs as often as before, it isn't added. */
export function findNewHidden(before: string, after: string): readonly HiddenCharacter[] {
  const known = new Map<string, number>();
  for (const { code } of findHidden(before)) known.set(code, (known.get(code) ?? 0) + 1);
  return findHidden(after).filter(({ code }) => {
    const left = known.get(code) ?? 0;
    known.set(code, left - 1);
    return left <= 0;
  });
}

/** Replaces each hidden character with its code in brackets. */
export function showHidden(text: string): string {
  let shown = '';
  let at = 0;
  for (const { offset, length, code } of findHidden(text)) {
    shown += `${text.slice(at, offset)}⟦${code}⟧`;
    at = offset + length;
  }
  return shown + text.slice(at);
}
