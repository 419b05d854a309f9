import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createStreamingMarkdown } from '../../../../src/webview/text/blocks.ts';
import { createMarkdown } from '../../../../src/webview/text/markdown.ts';
import { MARKDOWN_WORDS } from '../../../support/markdownWords.ts';

const md = createMarkdown(MARKDOWN_WORDS);

/** Streams a text in these pieces, as the panel draws it, and returns the final HTML. */
function stream(pieces: readonly string[]): string {
  const streaming = createStreamingMarkdown(md);
  let html = '';
  for (const piece of pieces) {
    streaming.append(piece);
    const update = streaming.update();
    if (update.code === undefined) html += update.frozen;
  }
  const { frozen, whole } = streaming.finish();
  return whole ?? html + frozen;
}

const BLOCKS = [
  'A paragraph\nof two lines.\n\n',
  '# A heading\n\n',
  'Setext\n===\n\n',
  '- one\n- two\n  - inner\n\n  more of two\n',
  '1. first\n2. second\n\n',
  '> quoted\nlazily\n\n',
  '```ts\nconst a = 1;\n\n# no heading\n```\n',
  '~~~\nunclosed',
  '    indented code\n\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n',
  '---\n',
  'a [link][ref] here\n\n',
  '[ref]: https://example.com\n\n',
  '- [ ] to do\n- [x] done\n\n',
  'a note[^1] here[^b]\n\n',
  '[^1]: the **note**\ngoes on\n[^b]: other\n\n',
  'inline $a_1 + b$ and \\(c\\), $5 or $6\n\n',
  'then\n$$\na = b\n+ c\n- d\n$$\nthat\n\n',
  '\\[\nx\n\\]\n\n',
  '$$\n- never closed\n\n',
  '\n\n',
];

describe('Streaming Markdown', () => {
  it('equals a full rendering at the end, however the text is split', () => {
    const texts = fc.array(fc.constantFrom(...BLOCKS), { maxLength: 12 }).map((blocks) => blocks.join(''));
    fc.assert(
      fc.property(texts, fc.array(fc.nat(400), { maxLength: 30 }), (text, cuts) => {
        const at = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
        const pieces = [0, ...at].map((start, i) => text.slice(start, [...at, text.length][i]));
        assert.equal(stream(pieces), md.render(text, {}));
      }),
      { numRuns: 2000 },
    );
  });

  it('equals a full rendering at the end when it is streamed by character', () => {
    const text = BLOCKS.join('');
    assert.equal(stream([...text]), md.render(text, {}));
  });

  it('does not render a finished block again', () => {
    const streaming = createStreamingMarkdown(md);
    streaming.append('first\n\nsecond\n\nthi');
    const first = streaming.update();
    streaming.append('rd\n\nfourth\n');
    const update = streaming.update();
    assert.ok(first.code === undefined && update.code === undefined);
    assert.equal(first.frozen, '<p dir="auto">first</p>\n');
    assert.ok(!update.frozen.includes('first'), update.frozen);
    assert.equal(update.tail, '<p dir="auto">fourth</p>\n');
  });

  it('shows open code like a full rendering after every piece, and only appends to it', () => {
    const line = fc.constantFrom(
      ...[
        'a < b',
        '',
        '`',
        '  ',
        '~~~',
        '```',
        ' ``',
        '````',
        '   ~~',
        '- no list',
        '\tb',
        '\u0000',
        'c\r',
        '& d',
      ],
    );
    const opening = fc.constantFrom('```ts', '~~~', '````', '  ```', '```a`b', '- ```');
    const texts = fc
      .tuple(opening, fc.array(line, { maxLength: 8 }))
      .map(([first, lines]) => ['Text.\n', first, ...lines].join('\n'));
    let appended = 0;
    const streamed = (text: string, sizes: readonly number[]) => {
      const streaming = createStreamingMarkdown(md);
      let [frozen, tail, from] = ['', '', 0];
      for (const size of [...sizes, text.length]) {
        streaming.append(text.slice(from, from + size));
        from += size;
        const update = streaming.update();
        if (update.code === undefined) [frozen, tail] = [frozen + update.frozen, update.tail];
        else {
          appended += update.code.length;
          tail = tail.replace(/(?=<\/code><\/pre><\/div>\n$)/, () => md.utils.escapeHtml(update.code));
        }
        const again = createStreamingMarkdown(md);
        again.append(text.slice(0, from));
        const whole = again.update();
        assert.equal(frozen + tail, whole.code ?? whole.frozen + whole.tail);
      }
    };
    fc.assert(fc.property(texts, fc.array(fc.nat(9), { maxLength: 30 }), streamed), { numRuns: 1000 });
    assert.ok(appended > 300, String(appended));
  });
});

describe('Markdown of the model', () => {
  const rendered = (text: string) => md.render(text, {});

  it('shows raw HTML as text', () => {
    assert.ok(!rendered('<img src=x onerror=alert(1)>').includes('<img'));
  });

  it('does not load images and shows their alternative text', () => {
    const html = rendered('![a secret](https://example.com/?q=stolen)');
    assert.ok(!html.includes('<img') && !html.includes('stolen'), html);
    assert.ok(html.includes('a secret'));
  });

  it('creates links to http and https only', () => {
    for (const href of [
      'javascript:alert(1)',
      'command:k3.stop',
      'file:///etc/passwd',
      'vscode://x/y',
      'data:text/html,x',
    ]) {
      assert.ok(!rendered(`[x](${href})`).includes('<a '), href);
    }
    assert.ok(rendered('[x](https://example.com)').includes('<a href="https://example.com"'));
  });

  it('names a code block after its language and escapes the name', () => {
    assert.ok(rendered('```ts\nx\n```').includes('role="group" aria-label="Code, ts"'));
    assert.ok(!rendered('```"><script>\nx\n```').includes('<script>'));
  });
});
