/**
 * How the emulator counts tokens. The service names no tokenizer, so this is a rule that is easy to verify: for each
 * string, a quarter token per ASCII character, rounded up, and one token per other character
 * (docs/service.md, Estimating tokens).
 */

/** Fixed number of tokens of each request (docs/service.md, Estimating tokens). */
export const REQUEST_OVERHEAD_TOKENS = 90;

/** Tokens of an image, of any size. */
export const IMAGE_TOKENS = 2000;

/** Tokens of a string. Characters are code points: an emoji is one character. */
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

/** The longest start of a text that has at most `tokens` tokens; never splits a character. */
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
