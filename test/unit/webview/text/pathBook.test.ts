import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MAX_PATHS_ASKED } from '../../../../src/panel/pathText.ts';
import { createPathBook } from '../../../../src/webview/text/pathBook.ts';

function open() {
  const asked: (readonly string[])[] = [];
  let time = 0;
  const waiting: (() => void)[] = [];
  const book = createPathBook({
    ask: (paths) => asked.push(paths),
    now: () => time,
    later: (call) => waiting.push(call),
  });
  return {
    book,
    asked,
    pass(ms: number) {
      time += ms;
      for (const call of waiting.splice(0)) call();
    },
  };
}

describe('Paths on the page', () => {
  it('are asked about once, all together', () => {
    const { book, asked, pass } = open();
    for (const path of ['a.ts', 'b.ts', 'a.ts']) assert.equal(book.exists(path), undefined);
    assert.deepEqual(asked, []);
    pass(50);
    assert.deepEqual(asked, [['a.ts', 'b.ts']]);
    book.answered(['a.ts'], ['b.ts']);
    assert.equal(book.exists('a.ts'), true);
    assert.equal(book.exists('b.ts'), false);
    pass(50);
    assert.equal(asked.length, 1);
  });

  it('that didn’t exist are asked about again later, and meanwhile are still none', () => {
    const { book, asked, pass } = open();
    book.exists('new.ts');
    pass(50);
    book.answered([], ['new.ts']);
    pass(6000);
    assert.equal(book.exists('new.ts'), false);
    pass(50);
    assert.deepEqual(asked, [['new.ts'], ['new.ts']]);
    book.answered(['new.ts'], []);
    assert.equal(book.exists('new.ts'), true);
  });

  it('of which nothing was heard are asked about again when everything is shown anew', () => {
    const { book, asked, pass } = open();
    book.exists('lost.ts');
    pass(50);
    book.renew();
    book.exists('lost.ts');
    pass(50);
    assert.equal(asked.length, 2);
  });

  it('are asked about in parts, and are limited in number', () => {
    const { book, asked, pass } = open();
    for (let index = 0; index < 20_000; index++) book.exists(`${index}.ts`);
    pass(50);
    assert.ok(asked.every(({ length }) => length <= MAX_PATHS_ASKED));
    assert.equal(asked.flat().length, 5000);
  });
});
