/** Finds the words at the start of a text that repeat the end of the text before it. Lengths are in UTF-16 code units. */

/** The maximum length of the end and the start that are compared. A text that is repeated as a whole can be longer. */
export const SEAM_LENGTH = 20_000;

/** The lengths at which the end of the first text is also the start of the second one, longest first. */
export function overlapsOf(first: string, second: string): readonly number[] {
  if (first.length > SEAM_LENGTH && second.startsWith(first)) return [first.length];
  const start = second.slice(0, SEAM_LENGTH);
  const borders = bordersOf(start);
  let length = 0;
  for (const unit of toUnits(first.slice(-SEAM_LENGTH))) {
    while (length > 0 && (length === start.length || start.charCodeAt(length) !== unit))
      length = borders[length - 1] ?? 0;
    if (start.charCodeAt(length) === unit) length++;
  }
  const lengths: number[] = [];
  for (; length > 0; length = borders[length - 1] ?? 0) lengths.push(length);
  return lengths;
}

/**
 * The length of the start of the second text that repeats the end of the first one; 0 if nothing is repeated. A few equal
 * characters don't count: they occur by chance wherever a text is cut inside “ll” or “}}”.
 */
export function repeatedLength(first: string, second: string): number {
  return overlapsOf(first, second).find((length) => isRepetition(first, length)) ?? 0;
}

/** The minimum length of a repetition, without white space: with one word, with several words, and at the start of a line. */
const MIN_LENGTH = 8;
const MIN_WORDS_LENGTH = 6;
const MIN_LINE_LENGTH = 3;

function isRepetition(first: string, length: number): boolean {
  const before = first.slice(0, -length);
  const repeated = first.slice(-length);
  if (/^[\udc00-\udfff]/.test(repeated)) return false;
  // A row of equal parts, like “0, 0, 0, 0”, probably continues.
  if (isPeriodic(repeated) || before.endsWith(repeated)) return false;
  const words = repeated.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;
  const visible = repeated.replace(/\s/g, '').length;
  if (words === 0) return false;
  if (visible >= (words > 1 ? MIN_WORDS_LENGTH : MIN_LENGTH)) return true;
  return /(?:^|\n)$/.test(before) && visible >= MIN_LINE_LENGTH;
}

/** Whether a text consists of two or more equal parts. The last part can be incomplete. */
function isPeriodic(text: string): boolean {
  const period = text.length - (bordersOf(text)[text.length - 1] ?? 0);
  return period <= text.length / 2;
}

/** For each start of a text, the length of the longest shorter start that is also its end. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(length)) length++;
    borders[at] = length;
  }
  return borders;
}

function* toUnits(text: string): Generator<number> {
  for (let at = 0; at < text.length; at++) yield text.charCodeAt(at);
}
