import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type BlockUpdate, createStreamingMarkdown } from '../../../../src/webview/text/blocks.ts';
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
    if (update.type === 'blocks') html += update.frozen;
  }
  const { frozen, whole } = streaming.finish();
  return whole ?? html + frozen;
}

/** The list or table that HTML begins with: what is before its items, these, and what is after them. */
function toItems(html: string): {
  readonly before: string;
  readonly items: readonly string[];
  readonly after: string;
} {
  const before = /^<[uo]l[^>]*>\n|^<div class="table-box"[\s\S]*?<tbody>\n/.exec(html)?.[0] ?? '';
  const items: string[] = [];
  let [at, begin, depth] = [before.length, before.length, 0];
  for (const { 0: tag, index } of html
    .slice(at)
    .matchAll(/<(?:li|tr)[ >]|<\/(?:li|tr)>\n|<\/(?:[uo]l|tbody)>/g)) {
    if (/^<\/(?:[uo]l|tbody)/.test(tag) && depth === 0) break;
    if (/^<(?:li|tr)/.test(tag)) depth++;
    if (!/^<\/(?:li|tr)/.test(tag) || --depth > 0) continue;
    at = before.length + index + tag.length;
    items.push(html.slice(begin, at));
    begin = at;
  }
  return { before, items, after: html.slice(at) };
}

/** What is shown after an update. */
function applied(
  shown: { readonly frozen: string; readonly tail: string },
  update: BlockUpdate,
): typeof shown {
  const { frozen, tail } = shown;
  if (update.type === 'blocks') return { frozen: frozen + update.frozen, tail: update.tail };
  if (update.type === 'code') {
    const code = md.utils.escapeHtml(update.code);
    return { frozen, tail: tail.replace(/(?=<\/code><\/pre><\/div>\n$)/, () => code) };
  }
  const [old, next] = [toItems(tail), toItems(update.html)];
  assert.ok(old.items.length > update.from, tail);
  const items = [...old.items.slice(0, update.from), ...next.items];
  return { frozen, tail: [old.before, ...items, next.after].join('') };
}

/** Checks that what is shown is the same as if all of the text had come at once. Returns how often each update came. */
function sameAfterEachPiece(texts: fc.Arbitrary<string>): Record<BlockUpdate['type'], number> {
  const count = { blocks: 0, code: 0, items: 0 };
  const streamed = (text: string, sizes: readonly number[]) => {
    const streaming = createStreamingMarkdown(md);
    let shown = { frozen: '', tail: '' };
    let from = 0;
    for (const size of [...sizes, text.length]) {
      streaming.append(text.slice(from, from + size));
      from += size;
      const update = streaming.update();
      count[update.type]++;
      shown = applied(shown, update);
      const again = createStreamingMarkdown(md);
      again.append(text.slice(0, from));
      const whole = applied({ frozen: '', tail: '' }, again.update());
      assert.equal(shown.frozen + shown.tail, whole.frozen + whole.tail);
    }
  };
  fc.assert(fc.property(texts, fc.array(fc.nat(9), { maxLength: 30 }), streamed), {
    numRuns: Number(process.env['RUNS'] ?? 1000),
  });
  return count;
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
  '```md\n`a`\n    ```\n\t```\nb\n```\n',
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

  it('equals a full rendering at the end with every kind of line end, also in the middle of one', () => {
    const text = [
      'One\rtwo',
      '',
      '10 %\r20 %\r\n',
      '- a',
      '- b\r- c',
      '',
      '```',
      'x\ry',
      '```',
      '',
      'Last.',
    ].join('\r\n');
    for (const ended of [text, `${text}\r`, text.replaceAll('\r\n', '\n'), text.replaceAll('\r\n', '\r')])
      for (const pieces of [[...ended], ended.split(/(?<=\n)/), ended.split(/(?<=\r)/), [ended]])
        assert.equal(stream(pieces), md.render(ended, {}), JSON.stringify(pieces));
  });

  it('does not render a finished block again', () => {
    const streaming = createStreamingMarkdown(md);
    streaming.append('first\n\nsecond\n\nthi');
    const first = streaming.update();
    streaming.append('rd\n\nfourth\n');
    const update = streaming.update();
    assert.ok(first.type === 'blocks' && update.type === 'blocks');
    assert.equal(first.frozen, '<p dir="auto">first</p>\n');
    assert.ok(!update.frozen.includes('first'), update.frozen);
    assert.equal(update.tail, '<p dir="auto">fourth</p>\n');
  });

  it('has finished code when the line that closes it is complete', () => {
    const streaming = createStreamingMarkdown(md);
    streaming.append('```\na\n``\n');
    const open = streaming.update();
    streaming.append('```');
    const closing = streaming.update();
    streaming.append('\nText');
    const closed = streaming.update();
    assert.ok(open.type === 'blocks' && closing.type === 'blocks' && closed.type === 'blocks');
    assert.equal(open.frozen + closing.frozen, '');
    assert.equal(closed.frozen, md.render('```\na\n``\n```\n'));
    assert.equal(closed.tail, '<p dir="auto">Text</p>\n');
  });

  it('does not take an indented fence for the end of code', () => {
    for (const fence of ['    ```', '\t```', '     ```\t', '```a', '``'])
      for (const end of ['\n', '\r\n']) {
        const text = ['```md', '`one`', fence, 'two', '   ``` ', 'Text'].join(end);
        const byLine = text.split(/(?<=\n)/);
        for (const pieces of [[...text], byLine, [byLine.slice(0, 3).join(''), byLine.slice(3).join('')]])
          assert.equal(stream(pieces), md.render(text, {}), JSON.stringify(pieces));
      }
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
    const count = sameAfterEachPiece(texts);
    assert.ok(count.code > 300, String(count.code));
  });

  const ITEMS = {
    list: [
      '- a',
      '- b **c**',
      '  d',
      'lazy',
      '',
      '- ',
      '-',
      '  - inner',
      '    1. deep',
      '- [ ] task',
      '  ```',
      '- see [x][^1]',
      '- $$',
      '\t- tab',
      ' - by one',
      '* other',
      '1. first',
      '2) second',
      '---',
      '# Heading',
      '- # Heading',
      '-     code',
    ],
    table: [
      '| a | b |',
      '|---|:-:|',
      '| 1 |',
      '| `1` | 2 | 3 |',
      'no bars',
      '',
      '    | 4 |',
      '- a',
      '> b',
      '| \\| | $$ |',
    ],
  };

  for (const [kind, lines] of Object.entries(ITEMS))
    it(`shows an open ${kind} like a full rendering after every piece, and draws only its last items again`, () => {
      const [first = '', second = ''] = lines;
      const begin = fc.constantFrom(
        [first, second],
        [first, second, lines[2] ?? ''],
        [first, '', second],
        ['1. a', '2. b'],
      );
      const texts = fc
        .tuple(begin, fc.array(fc.constantFrom(...lines), { maxLength: 10 }))
        .map(([some, more]) => ['Text.\n', ...some, ...more].join('\n'));
      const count = sameAfterEachPiece(texts);
      assert.ok(count.items > 400, String(count.items));
    });

  it('draws an open list again that only an incomplete line had made loose', () => {
    const streaming = createStreamingMarkdown(md);
    let shown = { frozen: '', tail: '' };
    for (const piece of ['- a\n- b\n', '\n-', '--']) {
      streaming.append(piece);
      shown = applied(shown, streaming.update());
    }
    assert.equal(shown.frozen + shown.tail, md.render('- a\n- b\n\n---'));
  });

  it('shows definitions in an open list like a full rendering after every piece', () => {
    const lines = [
      '- see [x][^1]',
      '- b',
      '- [x]: https://example.com',
      '- c',
      '- [^1]: note',
      '- d',
      '- [x] again',
    ];
    const texts = fc.shuffledSubarray(lines).map((some) => ['- a', ...some, ''].join('\n'));
    sameAfterEachPiece(texts);
  });

  it('renders the same number of characters for each new item of a list', () => {
    const streaming = createStreamingMarkdown(md);
    const sizes = Array.from({ length: 200 }, (_, at) => {
      streaming.append(`- item ${at + 100}\n`);
      const update = streaming.update();
      return update.type === 'items' ? update.html.length : undefined;
    });
    assert.deepEqual([...new Set(sizes)].length, 2, sizes.join());
    assert.deepEqual(sizes.indexOf(undefined), 0);
    assert.equal(sizes.lastIndexOf(undefined), 0);
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

  it('shows the address of an image without alternative text, so that it isn’t left out', () => {
    assert.equal(
      rendered('See ![](https://example.com/a.png?b&c).').trim(),
      '<p dir="auto">See https://example.com/a.png?b&amp;c.</p>',
    );
    assert.match(rendered('[![](https://a.test/b.svg)](https://a.test)'), />https:\/\/a\.test\/b\.svg<\/a>/);
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
