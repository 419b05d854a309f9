/** Texts in the two directions of writing, in lines whose direction is not ours to set. */

/** Hebrew, Arabic, and the other scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LEFT_TO_RIGHT_MARK = '\u200e';

/**
 * What stands behind a title in the same line. Behind a title from right to left, a number at its beginning would move
 * before the title, so it begins with a mark that has no width.
 */
export const behindTitle = (title: string, text: string): string =>
  RIGHT_TO_LEFT.test(title) ? `${LEFT_TO_RIGHT_MARK}${text}` : text;

/** A title from right to left between marks without a width: a number behind it would move before it. */
export const isolated = (title: string): string =>
  RIGHT_TO_LEFT.test(title) ? `\u2068${title}\u2069` : title;
