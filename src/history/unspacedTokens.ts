/**
 * Splits texts in scripts that don't separate words, such as Chinese and Japanese, into tokens: each character with the next one, so
 * that any part of a sentence is found. Emoji, which the index of words leaves out, are tokens, too. Words of other scripts in the
 * same text are tokens as they are, because they often touch such characters.
 */

/** The smallest unit of a search. */
export interface Token {
  /** Folded: the same for upper and lower case, and for full and half width. */
  readonly text: string;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** The end of a pair's first character; for other tokens, `end`. */
  readonly firstEnd: number;
  readonly kind: 'word' | 'pair' | 'single' | 'emoji';
}

/** Consecutive tokens that a text must contain. */
export interface Term {
  readonly tokens: readonly string[];
  readonly hasEmoji: boolean;
  /** Whether it has characters that only this index has. */
  readonly isUnspaced: boolean;
  /** Whether the last token may be longer in the text. */
  readonly prefix: boolean;
}

const SCRIPTS = ['Han', 'Hira', 'Kana', 'Bopo', 'Hang', 'Thai', 'Lao', 'Khmr', 'Mymr'];
/** The script extensions also include marks and lengthening signs, which several scripts share. */
const UNSPACED = `(?=[\\p{L}\\p{N}\\p{M}])[${SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`;
/** Matches a flag, or a picture with its skin tone and joined pictures. Characters with smaller code points, such as ©, are symbols. */
const PICTURE = '(?![\\0-\\u22FF])\\p{Extended_Pictographic}[\\uFE0F\\p{Emoji_Modifier}]?';
const EMOJI = `\\p{Regional_Indicator}{2}|${PICTURE}(?:\\u200D${PICTURE})*`;
/** Regular expressions with Unicode properties are created at their first use, because this takes milliseconds. */
let unspaced: RegExp | undefined;
let runs: RegExp | undefined;
let characters: RegExp | undefined;

/** The number of characters that are converted between two checks of the time: about half a millisecond of work. */
export const CHARACTERS_AT_ONCE = 1000;

/**
 * All tokens, separated by spaces; undefined if the text has no emoji and no character of such a script. Yields after each
 * `CHARACTERS_AT_ONCE` characters, because a long text takes many frames.
 */
export function* toIndexed(text: string): Generator<void, string | undefined> {
  unspaced ??= new RegExp(`${UNSPACED}|${EMOJI}`, 'u');
  if (!unspaced.test(text)) return undefined;
  const parts: string[] = [];
  let part: string[] = [];
  let from = 0;
  for (const token of tokensOf(text)) {
    part.push(token.text);
    if (token.end - from < CHARACTERS_AT_ONCE) continue;
    parts.push(part.join(' '));
    part = [];
    from = token.end;
    yield;
  }
  if (part.length > 0) parts.push(part.join(' '));
  return parts.join(' ');
}

/** The tokens of a text, in their order. */
export function* tokensOf(text: string): Generator<Token> {
  runs ??= new RegExp(`((?:${UNSPACED})+)|(${EMOJI})|(?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}\\p{Co}])+`, 'gu');
  for (const run of text.matchAll(runs)) {
    if (run[1] !== undefined) {
      yield* pairsOf(run[1], run.index);
      continue;
    }
    const end = run.index + run[0].length;
    if (run[2] !== undefined) {
      // Removes the variation selector for colored emoji, so that both forms are equal.
      yield { text: run[2].replaceAll('\uFE0F', ''), start: run.index, end, firstEnd: end, kind: 'emoji' };
      continue;
    }
    const folded = run[0].normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    if (folded !== '') yield { text: folded, start: run.index, end, firstEnd: end, kind: 'word' };
  }
}

/** Pairs of each character with the next one, and the last character alone. */
function* pairsOf(run: string, offset: number): Generator<Token> {
  let before: Token | undefined;
  // A character with its marks. U+FF9E and U+FF9F are the voiced marks of half-width katakana. The letters of a Korean syllable can
  // be separate characters.
  characters ??=
    /(?:[\u1100-\u1112][\u1161-\u1175]|[\uAC00-\uD7A3])[\u11A8-\u11C2]?\p{M}*|[^\p{M}\uFF9E\uFF9F]?[\p{M}\uFF9E\uFF9F]+|./gsu;
  for (const found of run.matchAll(characters)) {
    const start = offset + found.index;
    const end = start + found[0].length;
    const text = found[0].normalize('NFKC').toLowerCase();
    if (before !== undefined)
      yield { ...before, text: before.text + text, end, firstEnd: before.end, kind: 'pair' };
    before = { text, start, end, firstEnd: end, kind: 'single' };
  }
  if (before !== undefined) yield before;
}

/**
 * The term for a word or a phrase; undefined if it has no tokens.
 *
 * @param isOpen whether the last word may be longer in the text
 */
export function toTerm(phrase: string, isOpen: boolean): Term | undefined {
  const tokens = [...tokensOf(phrase)];
  const last = tokens.at(-1);
  if (last === undefined) return undefined;
  // The last character alone is left out, because in the text it can be the first one of a pair.
  const afterPair =
    last.kind === 'single' && tokens.at(-2)?.kind === 'pair' && tokens.at(-2)?.end === last.end;
  const used = afterPair ? tokens.slice(0, -1) : tokens;
  const prefix = last.kind === 'word' ? isOpen : !afterPair;
  const hasEmoji = tokens.some(({ kind }) => kind === 'emoji');
  const isUnspaced = tokens.some(({ kind }) => kind !== 'word');
  return { tokens: used.map((token) => token.text), hasEmoji, isUnspaced, prefix };
}

/** A query for FTS5 that finds all terms in texts of `toIndexed`. */
export const toIndexQuery = (terms: readonly Term[]): string =>
  terms.map(({ tokens, prefix }) => `"${tokens.join(' ')}"${prefix ? '*' : ''}`).join(' ');
