/** Typesets math as MathML, which the browser shows with the fonts of the system. A program of its own (esbuild.mjs). */
import temml from 'temml';

/** The policy of the page would refuse these, also while the sanitizer reads them. Quotes in text are escaped. */
const STYLE = / style=(?:"[^"]*"|'[^']*')/g;

/**
 * The MathML of a formula. Throws when the formula can't be read. Nothing that the formula asks for is trusted: no links,
 * no images, no classes (docs/security.md).
 */
export const toMathMl = (tex: string, displayMode: boolean): string =>
  temml
    .renderToString(tex, { displayMode, throwOnError: true, trust: false, maxSize: [20, 20], maxExpand: 200 })
    .replaceAll(STYLE, '');
