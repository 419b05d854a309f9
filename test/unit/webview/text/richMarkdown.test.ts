/** Task lists, footnotes, and math in the Markdown of the model. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createMarkdown } from '../../../../src/webview/text/markdown.ts';
import { MARKDOWN_WORDS } from '../../../support/markdownWords.ts';

const md = createMarkdown(MARKDOWN_WORDS);
const render = (text: string) => md.render(text, {});
/** The math in a text, as it is written, with `display` in front of what stands alone. */
const mathIn = (text: string) =>
  [...render(text).matchAll(/data-math="(\w+)">([^<]*)</g)].map(([, kind, tex]) =>
    kind === 'display' ? `display ${tex}` : tex,
  );

describe('A task list', () => {
  it('has boxes that say whether a task is done, and no form fields', () => {
    const html = render('- [ ] write\n- [x] read\n- [X] think\n- [y] other\n- plain');
    assert.deepEqual(
      [...html.matchAll(/role="img" aria-label="([^"]+)"/g)].map(([, name]) => name),
      ['Not done', 'Done', 'Done'],
    );
    assert.ok(html.includes('[y] other'));
    assert.ok(!/\[[ xX]\]|<input/.test(html), html);
  });

  it('can be nested and numbered', () => {
    assert.equal(render('1. [x] a\n   - [ ] b\n').match(/class="task"/g)?.length, 2);
  });

  it('is not text that only looks like one', () => {
    for (const text of ['[x] no list', '- [x](https://example.com)', '- `[x]` code'])
      assert.ok(!render(text).includes('role="img"'), text);
  });
});

describe('A footnote', () => {
  it('is a button in the text and a note where it is written', () => {
    const html = render(
      'Text[^1] and[^note].\n\n[^1]: The **first**.\n[^note]: The other,\nin two lines.\n\nEnd.',
    );
    assert.equal(
      html.match(/<button type="button" class="footnote-ref" data-footnote="(1|note)"/g)?.length,
      2,
    );
    assert.match(html, /role="note"[^>]* aria-label="Footnote 1" data-note="1">.*<strong>first<\/strong>/);
    assert.match(html, /data-note="note">.*The other,\nin two lines\.<\/div>/);
    assert.match(html, /<p dir="auto">End\.<\/p>/);
  });

  it('is no footnote without its note', () => {
    assert.equal(render('a[^1] b'), '<p dir="auto">a[^1] b</p>\n');
    assert.ok(render('`[^1]`\n\n[^1]: note').includes('<code>[^1]</code>'));
  });

  it('has a label that can be no markup', () => {
    const html = render('a[^"><img>]\n\n[^"><img>]: b');
    assert.ok(!html.includes('<img'), html);
  });
});

describe('Math', () => {
  for (const [text, ...math] of [
    ['Let $a_1 * b_1 * c$ be.', 'a_1 * b_1 * c'],
    ['Let \\(a < b\\) be.', 'a &lt; b'],
    ['So $$a = b$$ holds.', 'display a = b'],
    ['$$\na = b\n+ c\n# d\n$$', 'display a = b\n+ c\n# d'],
    ['\\[ a = b \\]', 'display a = b'],
    ['Then:\n\\[\na\n\\]\nand $b$', 'display a', 'b'],
    ['- item $a$\n- other\n  $$\n  b\n  $$', 'a', 'display b'],
    ['$\\$5$', '\\$5'],
    ['$$\nnot ended yet\n- x', 'display not ended yet\n- x'],
  ] as const)
    it(`is ${JSON.stringify(math)} in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(mathIn(text), [...math]);
    });

  for (const text of [
    'It costs $5 or $10.',
    'From $5-$10, US$5/US$6, 5$ and 6$',
    'Set $HOME and $PATH, $HOME/$USER',
    '`$a$` and ``\\(b\\)``',
    '\\$a\\$ and \\\\(a\\\\)',
    'a $ b $ c, $$ and $',
    '$$\na\n\nb\n',
    '    $$\n    code\n    $$',
    '```\n$$\na\n$$\n```',
    '\\[link\\] text',
  ])
    it(`is not in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(mathIn(text), []);
    });
});
