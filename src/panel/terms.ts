/**
 * The terms of a text, by which an answer is compared with the reasoning: words, whole names and their parts, numbers, and pairs
 * of characters in scripts that don't separate words.
 */

import { toComposed } from './composed.ts';

export interface Term {
  /** The same for all forms of a term. Words that only begin in the same way have another key in common, which begins with `~`. */
  readonly key: string;
  /** How much the term says, compared with the other terms of the same word. The weights of a word add up to about 1. */
  readonly weight: number;
  /** Offsets in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Two characters of a script that doesn't separate words. */
  readonly isUnspaced?: true;
}

/**
 * Letters, marks, and numbers, joined by single characters as in `src/app.ts:10`, `3.14`, or `don’t`. Numbers with spaces between
 * their thousands come first.
 */
const RUNS =
  /[1-9]\d{0,2}(?:[\u00a0\u2009\u202f]\d{3}(?![\p{L}\p{N}_])|[ ]0\d\d(?![\p{L}\p{N}_]))+(?:[.,]\d+(?![\p{L}\p{N}_]))?|[\p{L}\p{M}\p{N}_]+(?:[./\\:'’,@-][\p{L}\p{M}\p{N}_]+)*/gu;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]+/gu;
/** The parts of a name: `retryLimit`, `HTTPServer`, `utf8`. */
const PARTS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{L}\p{M}]+/gu;
const NUMBER = /^\p{N}+(?:[., \u00a0\u2009\u202f]\p{N}+)*$/u;
/** A path, a qualified or compound name, a version. */
const NAME = /[._/\\:@]/;

/** Words of this length or more also have a term of their first letters, which they share with their other forms. */
const STEM_LENGTH = 5;

/** Words that are in most sentences, in the languages of the user interface, and words that are typical of reasoning. */
const COMMON = new Set(
  // Compared only, so not translated.
  `a an and any are as at be been being but by can could did do does don't each for from get had has have he her here his
  how i i'll i'm if in into is isn't it it's its itself just let let's like me might more most must my need no not now of on
  one or other our out over own same she should so some such than that that's the their them then there there's these they
  this those through to too under until up use used using very was we we'll well were what when where whether which while
  who will with would yes you your
  actually also alright answer because but hmm however maybe means okay ok perhaps possible probably question really right
  say so sure think thing things user wait want wants
  aber als am an auch auf aus bei bin bis da das dass dem den der des die dies diese dieser durch ein eine einem einen einer
  er es für hat ich ihr im ist ja kann man mit nach nicht noch nur oder sein sich sie sind so über um und uns von vor war
  was wenn wie wir wird zu zum zur
  au aux avec ce ces cette comme dans de des du elle en est et il ils je la le les leur lui mais ne nous on ou par pas plus
  pour qu que qui sa se ses si son sont sur un une vous
  al como con cual de del el ella en entre es esta este esto la las lo los me muy no para pero por porque que se si sin
  sobre son su sus también un una y ya`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/**
 * The terms of a text, in order. Terms of one word overlap. Letters with diacritics have the same terms in both forms of Unicode.
 * Takes time in proportion to the length.
 */
export function* termsOf(text: string): Generator<Term> {
  const composed = toComposed(text);
  for (const { start, end, ...term } of termsOfComposed(composed.text))
    yield { ...term, start: composed.offset(start), end: composed.offset(end) };
}

function* termsOfComposed(text: string): Generator<Term> {
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    if (NUMBER.test(run)) {
      yield* formsOfNumber(run, index);
      continue;
    }
    if (COMMON.has(toKey(run))) continue;
    if (NAME.test(run) && run.search(UNSPACED) === -1)
      yield { key: toKey(run), weight: 1, start: index, end: index + run.length };
    for (const word of run.matchAll(WORDS)) yield* termsOfWord(word[0], index + word.index);
  }
}

/** The weight of the value of a number. The rest is the weight of its spelling. */
const VALUE = 0.8;

/** The term of a number as it is written and, if its value can be written in other ways, the term of that value. */
function* formsOfNumber(run: string, start: number): Generator<Term> {
  const end = start + run.length;
  const value = numberOf(run);
  const weight = run.length === 1 ? 0.5 : 1;
  yield { key: run, weight: value === undefined ? weight : weight - VALUE, start, end };
  if (value !== undefined) yield { key: `~${value}`, weight: VALUE, start, end };
}

/**
 * Numbers in which groups of three digits are thousands: `1,234` and `1.234.567`. A single group after a point doesn't count: in
 * English, in which most reasoning is written, these are decimals.
 */
const GROUPED = /^[1-9]\d{0,2}(?:(?:,\d{3})+|\.\d{3}(?:\.\d{3})+)$/;
const GROUPED_WITH_DECIMALS = /^([1-9]\d{0,2}(?:(?:,\d{3})+(?=\.)|(?:\.\d{3})+(?=,)))[.,](\d+)$/;
/** Not with three decimals, which may be thousands in another language. */
const DECIMAL = /^(?![1-9]\d{0,2}[.,]\d{3}$)(\d+)[.,](\d+)$/;

/**
 * The digits of a number, with a point before its decimals. Undefined if that isn't clear, or if the number can be written in one
 * way only.
 */
function numberOf(run: string): string | undefined {
  const number = run.replace(/[ \u00a0\u2009\u202f]/g, '');
  if (/^\d+$/.test(number)) return number.length > 3 ? number : undefined;
  if (GROUPED.test(number)) return number.replace(/[.,]/g, '');
  const [, whole, decimals] = GROUPED_WITH_DECIMALS.exec(number) ?? DECIMAL.exec(number) ?? [];
  return whole === undefined ? undefined : `${whole.replace(/[.,]/g, '')}.${decimals}`;
}

const toKey = (word: string) => word.toLowerCase().replaceAll('’', "'");

/** Splits a word by scripts, because words of other scripts often touch those of scripts without spaces. */
function* termsOfWord(word: string, start: number): Generator<Term> {
  let from = 0;
  for (const { 0: unspaced, index } of word.matchAll(UNSPACED)) {
    yield* termsOfParts(word.slice(from, index), start + from);
    yield* pairsOf(unspaced, start + index);
    from = index + unspaced.length;
  }
  yield* termsOfParts(word.slice(from), start + from);
}

function* termsOfParts(word: string, start: number): Generator<Term> {
  const parts = [...word.matchAll(PARTS)];
  // Not `3rd`.
  if (parts.length > 1 && !/^\p{N}/u.test(word))
    yield { key: word.toLowerCase(), weight: 1, start, end: start + word.length };
  for (const part of parts) yield* formsOf(part[0], start + part.index, parts.length > 1 ? 0.5 : 1);
}

/** Each character with the next one. Any word of two characters is among these pairs. */
function* pairsOf(text: string, start: number): Generator<Term> {
  let before = '';
  let at = start;
  for (const character of text) {
    const key = before + character;
    if (before !== '' || text === character)
      yield { key, weight: 0.5, start: at - before.length, end: at + character.length, isUnspaced: true };
    before = character;
    at += character.length;
  }
}

function* formsOf(word: string, start: number, weight: number): Generator<Term> {
  const key = singular(word.toLowerCase());
  if (COMMON.has(word.toLowerCase()) || COMMON.has(key)) return;
  const end = start + word.length;
  const isLong = key.length >= STEM_LENGTH;
  yield { key, weight: isLong ? weight / 2 : weight, start, end };
  if (isLong) yield { key: `~${key.slice(0, STEM_LENGTH)}`, weight: weight / 2, start, end };
}

/** Mostly for English. It changes words of other languages, too, but in the answer and the reasoning alike. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}
