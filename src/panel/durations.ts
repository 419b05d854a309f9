/** Durations in words, in the extension host and in the pages. */

export const DURATION_WORDS = ['{0} s', '{0} min {1} s', '{0} h {1} min', '{0} d {1} h'] as const;

export type DurationWord = (typeof DURATION_WORDS)[number];

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

const twoDigits = (value: number) => String(value).padStart(2, '0');

/**
 * `0.8 s`, `12 s`, `2 min 05 s`, `3 h 05 min`, `1 d 12 h`.
 *
 * @param ms milliseconds
 * @param word returns the text in the display language, with numbers formatted for it
 */
export function durationText(
  ms: number,
  word: (text: DurationWord, ...values: readonly (string | number)[]) => string,
): string {
  const exact = ms / 1000;
  if (exact < 9.95) return word('{0} s', exact);
  const seconds = Math.round(exact);
  if (seconds < MINUTE_S) return word('{0} s', seconds);
  if (seconds < HOUR_S) {
    return word('{0} min {1} s', Math.floor(seconds / MINUTE_S), twoDigits(seconds % MINUTE_S));
  }
  const minutes = Math.round(seconds / MINUTE_S);
  if (minutes * MINUTE_S < DAY_S)
    return word('{0} h {1} min', Math.floor(minutes / 60), twoDigits(minutes % 60));
  const hours = Math.round(seconds / HOUR_S);
  return word('{0} d {1} h', Math.floor(hours / 24), hours % 24);
}
