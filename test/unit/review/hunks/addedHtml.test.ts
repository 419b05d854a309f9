import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { toAddedHtml } from '../../../../src/review/hunks/addedHtml.ts';

/** What the editor keeps of a `style`; any other one is removed. */
const KEPT_STYLE =
  /^(color:(#[0-9a-fA-F]+|var\(--vscode(-[a-zA-Z0-9]+)+\));)?(background-color:(#[0-9a-fA-F]+|var\(--vscode(-[a-zA-Z0-9]+)+\));)?$/;

const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('The added lines of a hunk', () => {
  it('have a sign each, also empty ones', () => {
    assert.equal(textOf(toAddedHtml('a\n\n  b\r\n', [])), '+ a\n+ \n+   b');
  });

  it('have changed words marked, also over several lines', () => {
    const html = toAddedHtml('const all;\nlet b;\n', [
      { from: 0, to: 5 },
      { from: 8, to: 14 },
    ]);
    const words = [...html.matchAll(/<ins>(.*?)<\/ins>/g)].map(([, word = '']) => textOf(word));
    assert.deepEqual(words, ['const', 'l;', 'let']);
    assert.equal(textOf(html), '+ const all;\n+ let b;');
  });

  it('have only styles that the editor keeps', () => {
    const html = toAddedHtml('a b\n', [{ from: 0, to: 1 }]);
    const styles = [...html.matchAll(/style="([^"]*)"/g)].map(([, style = '']) => style);
    assert.ok(styles.length > 0, html);
    for (const style of styles) assert.match(style, KEPT_STYLE);
  });

  it('are never read as HTML, whatever is in them', () => {
    const part = fc.constantFrom(
      '</pre>',
      '<img src=x>',
      '&lt;',
      '"',
      "'",
      '\n',
      '\n\n',
      '# a',
      '[a](command:b)',
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        const html = toAddedHtml(text, []);
        const tags = new Set(html.match(/<\/?[a-z]+/g));
        assert.deepEqual(
          [...tags].filter((tag) => !/^<\/?(pre|span)$/.test(tag)),
          [],
        );
        assert.equal(html.match(/<\/pre>/g)?.length, 1);
      }),
    );
  });
});
