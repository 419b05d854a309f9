/** The grammar of highlight.js for diffs, with headers at the beginning of a line only. */
import type { HLJSApi, Language } from 'highlight.js';
import diff from 'highlight.js/lib/languages/diff';

/** In the original grammar, `===` or `Index: ` anywhere in an unchanged line starts a comment, as in `if (a === b)`. */
const HEADER = /^(?:Index: |index |={3,}$|-{3} |\*{3} |\+{3} |diff --git )/;

export function diffGrammar(hljs: HLJSApi): Language {
  const grammar = diff(hljs);
  const contains = grammar.contains.map((mode) =>
    mode.className === 'comment' ? { className: 'comment', begin: HEADER, end: /$/ } : mode,
  );
  return { ...grammar, contains };
}
