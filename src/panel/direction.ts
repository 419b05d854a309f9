/** Texts in the two writing directions, in lines whose direction we can't set. */

/** Hebrew, Arabic, and the other scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LEFT_TO_RIGHT_MARK = '\u200e';

/**
 * Text after a title in the same line. After a right-to-left title, a number at the start of the text would move before the
 * title, so the text begins with a mark that has no width.
 */
export const behindTitle = (title: string, text: string): string =>
  RIGHT_TO_LEFT.test(title) ? `${LEFT_TO_RIGHT_MARK}${text}` : text;

/** Puts a right-to-left title between marks without width. Otherwise, a number after the title would move before it. */
export const isolated = (title: string): string =>
  RIGHT_TO_LEFT.test(title) ? `\u2068${title}\u2069` : title;
