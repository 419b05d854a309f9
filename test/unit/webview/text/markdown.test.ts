import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createMarkdown } from '../../../../src/webview/text/markdown.ts';
import { NO_WORDS } from '../../../support/markdownWords.ts';

const md = createMarkdown(NO_WORDS);
const render = (text: string) => md.render(text).trim();

describe('A heading', () => {
  it('is below the heading of its turn for screen readers, and looks as it is written', () => {
    assert.equal(
      render('# A\n\nB\n===\n\n### C'),
      '<h1 dir="auto" aria-level="4">A</h1>\n<h1 dir="auto" aria-level="4">B</h1>\n<h3 dir="auto" aria-level="6">C</h3>',
    );
  });

  it('is not deeper than the levels that screen readers know', () => {
    const levels = [...render('#### A\n\n###### B').matchAll(/aria-level="(\d)"/g)].map(([, level]) => level);
    assert.deepEqual(levels, ['6', '6']);
  });
});

describe('Text from right to left in an answer', () => {
  it('has its direction in each paragraph and heading', () => {
    assert.equal(render('שלום'), '<p dir="auto">שלום</p>');
    assert.equal(render('## שלום'), '<h2 dir="auto" aria-level="5">שלום</h2>');
  });

  it('has its direction in a whole list, quotation, or table, also of what is nested in it', () => {
    assert.equal(render('- א\n\n  ב\n- ג').match(/dir=/g)?.length, 1);
    assert.match(render('> 1. א'), /^<blockquote dir="auto">\n<ol>\n<li>א<\/li>/);
    assert.match(
      render('|א|b|\n|--|:-:|\n|1|2|'),
      /^<div class="table-box" dir="auto"[^>]*><table>[^=]*<th>א</,
    );
    assert.equal(render('- א\n\nב').match(/dir="auto"/g)?.length, 2);
  });

  it('does not turn code around', () => {
    assert.match(render('- א\n  ```js\n  a()\n  ```'), /<div class="code" dir="ltr"/);
  });
});

describe('A cell of a table', () => {
  it('has its alignment as a class, because the page allows no styles in attributes', () => {
    const html = render('|a|b|c|d|\n|--|:-:|--:|:--|\n|1|2|3|4|');
    const classes = [...html.matchAll(/<t[hd]>|<t[hd] class="([\w-]+)">/g)].map(([, name]) => name);
    const row = [undefined, 'align-center', 'align-right', 'align-left'];
    assert.deepEqual(classes, [...row, ...row]);
  });
});

describe('A code block without a language', () => {
  it('has no name of one', () => {
    const html = createMarkdown({ ...NO_WORDS, code: 'Código' }).render('```\na\n```');
    assert.match(html, /aria-label="Código"/);
    assert.match(html, /<span class="code-language"><\/span>/);
  });
});

const shown = (source: string) => md.renderInline(source);

describe('A link in an answer', () => {
  it('to a path names the path, and has no address', () => {
    assert.equal(shown('[x](src/x.ts#L7)'), '<span data-path="src/x.ts#L7">x</span>');
    assert.equal(shown('[a b](<my notes/a b.md>)'), '<span data-path="my notes/a b.md">a b</span>');
    assert.equal(
      shown('[`x`](x.ts), [y](https://example.com/)'),
      '<span data-path="x.ts"><code>x</code></span>, <a href="https://example.com/">y</a>',
    );
  });

  for (const target of [
    '../x.ts',
    '/etc/passwd',
    'file:///x.ts',
    'command:k3.stop',
    '%2e%2e/x.ts',
    'src/%E2%80%AEx.ts',
    '%',
  ])
    it(`to ${target} is shown as its source`, () =>
      assert.doesNotMatch(shown(`[x](${target})`), /<(a|span)/));
});
