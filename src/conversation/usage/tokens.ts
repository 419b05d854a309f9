/** The tokens that every image counts as, whatever its size (docs/service.md, Images). */
export const IMAGE_TOKENS = 2000;

/** A regular expression searches through a text faster than a loop. */
const OTHER = /[\u0080-\uffff]/;

/**
 * The estimated tokens of a text: a quarter for each ASCII character, and one for every other
 * (docs/service.md: −3 % on Chinese, against −27 % for characters / 4).
 */
export function estimateTokens(text: string): number {
  if (!OTHER.test(text)) return text.length / 4;
  let ascii = 0;
  let other = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) ascii++;
    // The second half of a surrogate pair isn't counted.
    else if (code < 0xdc00 || code > 0xdfff) other++;
  }
  return ascii / 4 + other;
}
