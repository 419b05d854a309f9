import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import { toReadableMarkdown } from '../../../../src/review/answers/readableMarkdown.ts';

/** As the editor's preview reads it. */
const render = (text: string) =>
  new MarkdownIt({ html: true, linkify: true }).render(toReadableMarkdown(text));

describe('Text of the model in a Markdown preview', () => {
  it('keeps headings, bold words, code, lists in lists, and quotes', () => {
    const html = render('# Title\n\nSome **bold** `code`.\n\n1. one\n   - sub\n2. two\n\n> said');
    for (const part of [
      '<strong>Title</strong>',
      '<strong>bold</strong>',
      '<code>code</code>',
      '<blockquote>',
    ])
      assert.ok(html.includes(part), part);
    assert.match(html, /<li>one\n<ul>\n<li>sub<\/li>\n<\/ul>\n<\/li>\n<li>two/);
  });

  it('keeps code blocks, also one that is not closed, without what could choose another renderer', () => {
    assert.match(
      render('So:\n\n```mermaid\ngraph <a>\n```\nEnd'),
      /<pre><code>graph &lt;a&gt;\n<\/code><\/pre>\n<p>End/,
    );
    assert.match(render('So:\n```ts\nconst a = 1;'), /<pre><code>const a = 1;\n<\/code><\/pre>/);
  });

  it('keeps tables, with what is in their cells', () => {
    const cells = (html: string) =>
      [...html.matchAll(/<t[hd]([^>]*)>(.*)<\/t[hd]>/g)].map(([, style, text]) => `${style}${text}`);
    const html = render(
      'A\n| a | **b** |\n|:-:|--:|\n| <img> | `x\\|y` |\n| # 1 | ![i](u.png) | 3 |\n| 2 |\n\nB',
    );
    assert.match(html, /^<p>A<\/p>\n<table>[\s\S]*<\/table>\n<p>B<\/p>\n$/);
    const [middle, right] = [' style="text-align:center"', ' style="text-align:right"'];
    assert.deepEqual(cells(html), [
      `${middle}a`,
      `${right}<strong>b</strong>`,
      `${middle}&lt;img&gt;`,
      `${right}<code>x|y</code>`,
      `${middle}# 1`,
      `${right}![i](u.png)`,
      `${middle}2`,
      right,
    ]);
    assert.deepEqual(cells(render('a | b\n- | -\n1 | 2\nEnd')), ['a', 'b', '1', '2']);
    assert.deepEqual(cells(render('1. one\n\n   | a |\n   |---|\n   | 1 |\n2. two')), ['a', '1']);
    assert.match(render('1. one\n\n   | a |\n   |---|\n2. two'), /<li>\n<p>one<\/p>\n<table>/);
  });

  it('shows rows that are no table as they are written', () => {
    for (const text of ['| a | b |\n| <img> | 2 |', '| a | b |\n|---|\n| <img> | 2 |'])
      assert.match(render(`A\n\n${text}\n\nB`), /<pre><code>\| a \| b \|\n[^<]*&lt;img&gt;/);
  });

  it('has no image, no HTML, and no link with other words', () => {
    const hostile = [
      '![x](https://evil.example/a.png)',
      '![x][r]\n\n[r]: https://evil.example/a.png',
      '<img src="https://evil.example/a.png">',
      '<script>\nalert(1)\n</script>',
      '[safe](https://evil.example)',
      '`a` ![x](https://evil.example/`b`.png)',
      '    ![x](https://evil.example/a.png)',
      '- ```\n![x](https://evil.example/a.png)',
      '| ![x](y) |\n![x](https://evil.example/a.png)',
      '| a |\n|---|\n| ![x](https://evil.example/a.png) |',
      '| a | b |\n|---|---|\n| `![x](y) | ![x](z)` |\n| `a\\|![x](y)` | \\\\|',
    ];
    for (const text of hostile) assertHarmless(text);
    const part = fc.constantFrom(
      ...hostile,
      '`',
      '```',
      '~~~',
      '\n',
      '\n\n',
      '> ',
      '- ',
      '    ',
      '|',
      '|---|---|',
      '-|-',
      '\\',
      '\t',
      '\r',
      'a',
    );
    fc.assert(fc.property(fc.array(part, { maxLength: 12 }), (parts) => assertHarmless(parts.join(''))));
  });

  function assertHarmless(text: string): void {
    const tokens = new MarkdownIt({ html: true })
      .parse(toReadableMarkdown(text), {})
      .flatMap((token) => [token, ...(token.children ?? [])]);
    const found = tokens.filter(({ type }) => /^(image|html_|link_open)/.test(type)).map(({ type }) => type);
    assert.deepEqual(found, [], JSON.stringify(text));
  }
});
