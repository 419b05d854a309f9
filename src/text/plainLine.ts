/** Markdown as plain text, for lists, which don't render it. */

// Two asterisks are a mark where a word begins or ends. In `**/*.ts` and `2 ** 3` they aren't.
const OPENING = /(?<![^\s(["“‘«])\*\*(?=[^\s*/])/g;
const CLOSING = /(?<=[^\s*/])\*\*(?![^\s.,:;!?)\]"”’»…])/g;

/**
 * A text in one line, with single spaces, and without the marks of code, headings, and bold words. A part of a text that has one
 * mark of a pair may be given.
 */
export const toPlainLine = (text: string): string =>
  text
    .replace(/`/g, '')
    .replace(/^ {0,3}#{1,6} /gm, '')
    .replace(OPENING, '')
    .replace(CLOSING, '')
    .replace(/\s+/g, ' ')
    .trim();
