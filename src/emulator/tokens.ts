/**
 * How the emulator counts tokens. The service names no tokenizer, so this is a rule that can be checked by
 * hand: per string a quarter token for each ASCII character, rounded up, and one token for every other character
 * (docs/service.md, Estimating tokens).
 */

/** Tokens of every request, whatever it says: the fixed overhead of docs/service.md. */
export const REQUEST_OVERHEAD_TOKENS = 90;

/** Tokens of an image, whatever its size. */
export const IMAGE_TOKENS = 2000;

/** Whole tokens of a string. A character is a code point: an emoji is one, not two. */
export function countTokens(text: string): number {
  let ascii = 0;
  let other = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) ascii++;
    else if (code < 0xdc00 || code > 0xdfff) other++;
  }
  return Math.ceil(ascii / 4) + other;
}

/** The longest beginning of a text that costs no more than `tokens`; never cuts a character in half. */
export function truncateToTokens(text: string, tokens: number): string {
  let quarters = 0;
  let other = 0;
  let length = 0;
  for (const character of text) {
    if (character.length === 1 && character.charCodeAt(0) < 128) quarters++;
    else other++;
    if (Math.ceil(quarters / 4) + other > tokens) return text.slice(0, length);
    length += character.length;
  }
  return text;
}
