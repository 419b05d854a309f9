/** Typesets math as MathML, which the browser shows with the fonts of the system. Built as a script of its own (esbuild.mjs). */
import temml from 'temml';

/**
 * The content security policy of the page would refuse style attributes, even while the sanitizer parses them. Quotes in text are
 * escaped, so this matches only attributes.
 */
const STYLE = / style=(?:"[^"]*"|'[^']*')/g;

/**
 * The MathML of a formula. Throws if the formula can't be parsed. Commands that need trust are refused: no links, images, or classes
 * (docs/security.md).
 */
export const toMathMl = (tex: string, displayMode: boolean): string =>
  temml
    .renderToString(tex, { displayMode, throwOnError: true, trust: false, maxSize: [20, 20], maxExpand: 200 })
    .replaceAll(STYLE, '');
