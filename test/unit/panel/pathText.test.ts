import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findPaths, MAX_PATH_LENGTH, mayHavePath, parsePath } from '../../../src/panel/pathText.ts';

const found = (text: string) => findPaths(text).map(({ from, to }) => text.slice(from, to));

describe('A path with or without a line', () => {
  for (const [written, path, line, column] of [
    ['src/x.ts', 'src/x.ts', undefined, undefined],
    ['./src/x.ts', 'src/x.ts', undefined, undefined],
    ['src\\x.ts:7', 'src/x.ts', 7, undefined],
    ['src/x.ts:7:3', 'src/x.ts', 7, 3],
    ['src/x.ts:7-9', 'src/x.ts', 7, undefined],
    ['src/x.ts#L7', 'src/x.ts', 7, undefined],
    ['src/x.ts#L7-L9', 'src/x.ts', 7, undefined],
    ['x.ts', 'x.ts', undefined, undefined],
    ['.gitignore', '.gitignore', undefined, undefined],
    ['src/webview/', 'src/webview', undefined, undefined],
    ['my notes/für mich.md', 'my notes/für mich.md', undefined, undefined],
    ['x.ts:0', 'x.ts', 1, undefined],
  ] as const)
    it(`can be ${written}`, () => assert.deepEqual(parsePath(written), { path, line, column }));

  for (const written of [
    '',
    'word',
    '/etc/passwd',
    '//host/share/x.ts',
    '\\\\host\\share\\x.ts',
    'C:\\x.ts',
    '~/x.ts',
    '../x.ts',
    'src/../../x.ts',
    'src//x.ts',
    'src/./x.ts',
    'https://example.com/x.ts',
    'command:x.ts',
    'file:///x.ts',
    'src/\u202ets.x',
    'src/x\u200b.ts',
    'src/x.ts\n',
    'src/*.ts',
    `${'a/'.repeat(MAX_PATH_LENGTH)}x.ts`,
  ])
    it(`is never ${JSON.stringify(written.slice(0, 30))}`, () => assert.equal(parsePath(written), undefined));
});

describe('Paths in a text', () => {
  it('are found between words, without the punctuation behind them', () => {
    assert.deepEqual(found('See src/x.ts:7, (src/y.ts), and README.md. Then z.ts: done.'), [
      'src/x.ts:7',
      'src/y.ts',
      'README.md',
      'z.ts',
    ]);
  });

  it('are found beside the punctuation of Chinese, Japanese, and Arabic, which has no space around it', () => {
    assert.deepEqual(found('请看 src/x.ts。“src/y.ts”，（src/z.ts）：好。'), [
      'src/x.ts',
      'src/y.ts',
      'src/z.ts',
    ]);
    assert.deepEqual(found('「src/x.ts:7」、src/y.ts、『z.ts』！'), ['src/x.ts:7', 'src/y.ts', 'z.ts']);
    assert.deepEqual(found('انظر src/x.ts، ثم src/y.ts؛ و z.ts؟'), ['src/x.ts', 'src/y.ts', 'z.ts']);
  });

  it('are found in the arguments of a tool call', () => {
    assert.deepEqual(found('{"path": "src/x.ts", "from": 7}'), ['src/x.ts']);
  });

  it('are no parts of addresses or of paths that lead elsewhere', () => {
    assert.deepEqual(found('https://example.com/x.ts /etc/x.ts ../x.ts a/../x.ts C:/x.ts ..\\x.ts'), []);
  });

  it('without a line have a file extension', () => {
    assert.deepEqual(found('and/or, src/webview, 1.5, Makefile:3'), []);
  });

  it('are limited in number', () => {
    assert.equal(findPaths('a/b.ts '.repeat(5000)).length, 500);
  });

  it('are in order and each is a path of its own', () => {
    const part = fc.constantFrom(
      'src',
      '/',
      '\\',
      '.',
      'ts',
      ':',
      '7',
      '#L',
      ' ',
      '..',
      '"',
      '\u202e',
      '😀',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        let at = 0;
        assert.ok(mayHavePath(text) || findPaths(text).length === 0);
        for (const { from, to } of findPaths(text)) {
          assert.ok(at <= from && from < to);
          const place = parsePath(text.slice(from, to));
          assert.ok(place !== undefined && !place.path.split('/').includes('..'));
          at = to;
        }
      }),
    );
  });
});
