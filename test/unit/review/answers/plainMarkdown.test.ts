import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import { toPlainMarkdown } from '../../../../src/review/answers/plainMarkdown.ts';
import { useMath } from '../../../../src/webview/text/mathRules.ts';

const markdown = new MarkdownIt({ html: true, linkify: false });
const shown = (text: string) => markdown.render(toPlainMarkdown(text)).trim();

describe('Escaped Markdown', () => {
  it('keeps code in single backticks', () => {
    assert.equal(toPlainMarkdown('Use `a_b[0]`, not `*c`.'), 'Use `a_b[0]`, not `*c`.');
  });

  it('has no links, images, HTML, and emphasis', () => {
    const text = '[x](command:y) ![z](q) <b> # *a*';
    assert.equal(toPlainMarkdown(text), '&#91;x\\](command:y) !\\[z\\](q) \\<b> # \\*a\\*');
    assert.equal(shown(text), '<p>[x](command:y) ![z](q) &lt;b&gt; # *a*</p>');
  });

  it('has no escapes in plain sentences, which a screen reader would read', () => {
    const text = 'A well-known name (see a-b.js): 1 + 1 > 1, and {so on}! #3';
    assert.equal(toPlainMarkdown(text), text);
    for (const line of ['+ a', '#x', '-', '---', '1) a', '= a', '>a', '#'])
      assert.equal(shown(line), `<p>${line.replace('>', '&gt;')}</p>`, line);
  });

  it('is no math in the chat', () => {
    const chat = new MarkdownIt();
    useMath(chat);
    for (const text of ['The loop (line 3) ends (too) early.', '[all of it]', '- [x]', '> [x] (y)'])
      assert.doesNotMatch(chat.render(toPlainMarkdown(text)), /math/, text);
    assert.match(shown('[all of it]'), /^<p>\[all of it\]<\/p>$/);
  });

  it('keeps bold words, which have no other formatting', () => {
    assert.equal(
      shown('Now **all [x](y) are _safe_** and 2 ** 3 ** 4'),
      '<p>Now <strong>all [x](y) are _safe_</strong> and 2 ** 3 ** 4</p>',
    );
  });

  it('keeps lists and quotes', () => {
    assert.equal(shown('- a\n- `b`'), '<ul>\n<li>a</li>\n<li><code>b</code></li>\n</ul>');
    assert.equal(shown('1. a\n2. b'), '<ol>\n<li>a</li>\n<li>b</li>\n</ol>');
    assert.equal(shown('> a'), '<blockquote>\n<p>a</p>\n</blockquote>');
  });

  it('has a bold line for a heading', () => {
    assert.equal(shown('## What changed ##\nAll.'), '<p><strong>What changed</strong></p>\n<p>All.</p>');
    assert.equal(shown('a\n==='), '<p>a\n===</p>');
    assert.equal(shown('a\n---'), '<p>a\n---</p>');
  });

  it('has no code that begins with its line', () => {
    assert.equal(shown('a\n\n    b\n\n\tc'), '<p>a</p>\n<p>b</p>\n<p>c</p>');
  });

  it('is not ended by unpaired backticks', () => {
    for (const text of ['``` [x](command:y) `', '`` ` [x](y) ``', '`\n[x](y) `', 'a\\` [x](y)'])
      assert.match(toPlainMarkdown(text), /(?:\\\[|&#91;)x\\\]\(/);
  });

  it('never shows links, images, and HTML', () => {
    const pieces = ['[x](y)', '![x](y)', '<b>', '<http://x>', '`', '``', '*', '**', '\\', '\n', ' ', '    '];
    const more = [
      '# ',
      '> ',
      '- ',
      '1. ',
      '[x]: y',
      '[x]',
      'a',
      '~~~',
      '```',
      '+ ',
      '1) ',
      '-',
      '(y)',
      '!',
      '|',
      '&lt;',
      '\u00a0',
      '\r',
      '_',
    ];
    const text = fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 24 });
    fc.assert(
      fc.property(text, (parts) => {
        const tags = [...shown(parts.join('')).matchAll(/<(\/?[a-z][a-z0-9]*)/g)].map(([, tag = '']) => tag);
        const known = /^\/?(?:p|ul|ol|li|blockquote|code|strong|br)$/;
        assert.deepEqual(
          tags.filter((tag) => !known.test(tag)),
          [],
        );
      }),
      { numRuns: 2000 },
    );
  });
});
