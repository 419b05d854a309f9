import assert from 'node:assert/strict';
import hljs from 'highlight.js/lib/core';
import { before, describe, it } from 'mocha';
import { diffGrammar } from '../../../../src/webview/text/diffGrammar.ts';

/** The kinds of the lines of a diff, and the lines that have none. */
const kindsOf = (text: string) =>
  hljs
    .highlight(text, { language: 'diff' })
    .value.split('\n')
    .map((line) => /^<span class="hljs-(\w+)">[^<]*<\/span>$/.exec(line)?.[1] ?? line);

describe('The colors of a diff', () => {
  before(() => hljs.registerLanguage('diff', diffGrammar));

  it('tell added, deleted, and unchanged lines, and headers', () => {
    const text = 'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+2';
    assert.deepEqual(kindsOf(text), [
      ...['comment', 'comment', 'comment', 'comment', 'meta'],
      ...[' one', 'deletion', 'addition'],
    ]);
  });

  it('have no header in the middle of an unchanged line', () => {
    const lines = [' if (a === b) {', ' // Index: the first', ' ====='];
    assert.deepEqual(kindsOf(lines.join('\n')), lines);
  });

  it('take a line that begins with more signs as added or deleted', () => {
    assert.deepEqual(kindsOf('----\n++++\n---x\n+++x'), ['deletion', 'addition', 'deletion', 'addition']);
  });
});
