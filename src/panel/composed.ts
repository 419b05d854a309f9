/** Texts in one of the two forms that Unicode has for letters with diacritics: `é` as one character (NFC), or as two (NFD). */

export interface Composed {
  /** The text in its composed form: a letter and its diacritics are one character if Unicode has one. */
  readonly text: string;
  /** The offset in the original of an offset in this text, in UTF-16 code units. */
  offset(at: number): number;
}

/** A character with its combining marks, or a Hangul syllable in its parts. */
const CHARACTERS = /[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|\P{M}\p{M}*|\p{M}+/gu;

/** The text in its composed form. Almost every text has it already. */
export function toComposed(text: string): Composed {
  if (text.normalize('NFC') === text) return { text, offset: (at) => at };
  const parts: string[] = [];
  const offsets: number[] = [];
  for (const { 0: character, index } of text.matchAll(CHARACTERS)) {
    const part = character.normalize('NFC');
    const gone = character.length - part.length;
    for (let unit = 0; unit < part.length; unit++) offsets.push(index + unit + (unit === 0 ? 0 : gone));
    parts.push(part);
  }
  return { text: parts.join(''), offset: (at) => offsets[at] ?? text.length };
}
