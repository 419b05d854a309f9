/**
 * Joiners between letters, U+200C and U+200D, where they change how the letters look according to Unicode (UAX #31, contexts A1,
 * A2, and B). Some languages need them: Persian, and many words of the languages of India. For some pairs of Indian letters, a
 * joiner makes the form that they have anyway, depending on the font. So every joiner in a file name counts as hidden
 * (`src/access/accessReasons.ts`).
 *
 * JavaScript doesn't have the properties by which Unicode defines the contexts: how an Arabic letter is joined, and whether a
 * mark is a virama. So the characters are listed here, for scripts in which people write texts. A joiner anywhere else counts as
 * hidden, for example between Latin letters and between words, where readers can't tell two texts apart by it. So does a joiner
 * after an Arabic letter that is never joined to the next one, because the text looks the same without it.
 */

const NON_JOINER = '\u200c';

/** Arabic letters that are joined on both sides. */
const JOINED =
  /[\u0620\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a\u066e\u066f\u0678-\u0687\u069a-\u06bf\u06c1\u06c2\u06cc\u06ce\u06d0\u06d1\u06fa-\u06fc\u06ff\u0750-\u0758\u075c-\u076a\u076d-\u0770\u0772\u0775-\u0777\u077a-\u077f]/;
/** Arabic letters that are joined only to the previous letter. */
const JOINED_BEFORE =
  /[\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef\u0759-\u075b\u076b\u076c\u0771\u0773\u0774\u0778\u0779]/;
/** Vowels and other marks on an Arabic letter. */
const ARABIC_MARK = /[\u064b-\u065f\u0670]/;
const MAX_MARKS = 3;

/** The sign that removes the vowel of a letter, in the scripts from Devanagari to Sinhala. */
const VIRAMA = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]/;
/**
 * Viramas that don't join letters without a joiner, so a non-joiner changes nothing: in Tamil, except for two signs, and in
 * Sinhala.
 */
const UNJOINED = /[\u0bcd\u0dca]/;
/** Viramas after which a joiner changes how the end of a word looks: in Devanagari, Gujarati, and Malayalam. */
const SEEN_AT_END = /[\u094d\u0acd\u0d4d]/;
/** In Tamil, a joiner changes nothing. */
const TAMIL = /\u0bcd/;
/** A dot that makes another letter of a letter. It is before the virama. */
const NUKTA = /[\u093c\u09bc\u0a3c\u0abc\u0b3c\u0c3c\u0cbc]/;
/** The Ra of Bengali and Kannada. A joiner before the virama keeps it from becoming a sign on the next letter. */
const RA = /[\u09b0\u0cb0]/;
const LETTER = /\p{L}/u;
const MARK = /\p{M}/u;

/** Whether the joiner at an offset changes how the letters beside it look. */
export function isSeenJoiner(text: string, offset: number): boolean {
  const isNonJoiner = text[offset] === NON_JOINER;
  if (isNonJoiner && isBetweenJoined(text, offset)) return true;
  if (!isAfterVirama(text, offset)) return !isNonJoiner && isAfterRa(text, offset);
  const virama = text[offset - 1] ?? '';
  if (isLetterOf(text, offset + 1, offset - 1)) return !(isNonJoiner ? UNJOINED : TAMIL).test(virama);
  return !isNonJoiner && SEEN_AT_END.test(virama) && !MARK.test(text[offset + 1] ?? '');
}

/** Context A1. */
function isBetweenJoined(text: string, offset: number): boolean {
  let before = offset - 1;
  while (before > offset - 1 - MAX_MARKS && ARABIC_MARK.test(text[before] ?? '')) before--;
  const next = text[offset + 1] ?? '';
  return JOINED.test(text[before] ?? '') && (JOINED.test(next) || JOINED_BEFORE.test(next));
}

/** Whether the text before the joiner is as contexts A2 and B require: a letter and its virama. */
function isAfterVirama(text: string, offset: number): boolean {
  const virama = offset - 1;
  const letter = NUKTA.test(text[virama - 1] ?? '') ? virama - 2 : virama - 1;
  return VIRAMA.test(text[virama] ?? '') && isLetterOf(text, letter, virama);
}

/** The Unicode Standard, 12.2 and 12.8. */
const isAfterRa = (text: string, offset: number): boolean =>
  RA.test(text[offset - 1] ?? '') &&
  VIRAMA.test(text[offset + 1] ?? '') &&
  isLetterOf(text, offset + 2, offset - 1);

/** Whether there is a letter of the same script as another character. Each script of India has a block of 128 characters. */
const isLetterOf = (text: string, place: number, other: number): boolean =>
  LETTER.test(text[place] ?? '') && text.charCodeAt(place) >> 7 === text.charCodeAt(other) >> 7;
