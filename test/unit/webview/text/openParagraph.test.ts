import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createMarkdown } from '../../../../src/webview/text/markdown.ts';
import { updateParagraph } from '../../../../src/webview/text/openParagraph.ts';
import { MARKDOWN_WORDS } from '../../../support/markdownWords.ts';

const md = createMarkdown(MARKDOWN_WORDS);

const WORDS = ['one', '*two*', '**th*r*ee**', '`4 > 3`', '[five](https://example.com/?a=1&b=2)', '~~six~~'];
const MORE_WORDS = ['\\\n', '\n', '<b>', '&amp;', '$x$', '[`a/b.ts`](a/b.ts)', '**', '`', '[', '(', '_', '*'];

/** The number of child nodes of an element with this HTML. Inner elements become one character each, from inside out. */
function countNodes(html: string): number {
  let left = html.replace(/<br>/g, '•');
  for (let before = ''; before !== left; ) {
    before = left;
    left = left.replace(/<([a-z]+)(?: [^<>]*)?>[^<>]*<\/\1>/g, '•');
  }
  assert.doesNotMatch(left, /[<>]/);
  return left.match(/•|[^•]+/g)?.length ?? 0;
}

describe('A paragraph that grows', () => {
  it('keeps the child nodes that are the same', () => {
    const update = updateParagraph(
      '<p dir="auto">a <strong>b <em>c</em></strong> d <code>e</code></p>\n',
      '<p dir="auto">a <strong>b <em>c</em></strong> d <code>ef</code> g</p>\n',
    );
    assert.deepEqual(update, { from: 2, html: ' d <code>ef</code> g' });
  });

  it('is drawn as a whole when none stays, when it becomes another block, or when a block follows', () => {
    const shown = '<p dir="auto">a <em>b</em> c</p>\n';
    assert.equal(updateParagraph('<p dir="auto">a</p>\n', '<p dir="auto">a b</p>\n'), undefined);
    assert.equal(updateParagraph(shown, '<p dir="auto"><em>a <em>b</em> c</em></p>\n'), undefined);
    assert.equal(updateParagraph(shown, '<h2 dir="auto">a <em>b</em> c</h2>\n'), undefined);
    assert.equal(updateParagraph(shown, `${shown}<hr>\n`), undefined);
    assert.equal(updateParagraph('', shown), undefined);
  });

  it('has the nodes of a full rendering after each piece', () => {
    let count = 0;
    const words = fc.array(fc.constantFrom(...WORDS, ...MORE_WORDS), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 4 }), (texts, size) => {
        const text = texts.join(' ');
        let shown = '';
        for (let at = 0; at < text.length; at += size) {
          const next = md.render(text.slice(0, at + size), {});
          const update = updateParagraph(shown, next);
          if (update !== undefined) {
            count++;
            const kept = next.slice(0, -(update.html.length + '</p>\n'.length));
            assert.equal(`${kept}${update.html}</p>\n`, next);
            assert.ok(shown.startsWith(kept), 'the kept nodes were shown');
            assert.equal(countNodes(kept.replace(/^<p[^>]*>/, '')), update.from);
            assert.equal(
              countNodes(update.html) + update.from,
              countNodes(next.replace(/^<p[^>]*>|<\/p>\n$/g, '')),
            );
          }
          shown = next;
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(count > 1000, `only ${count} updates`);
  });
});
