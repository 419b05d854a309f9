import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MAX_PATHS_ASKED } from '../../../../src/panel/pathText.ts';
import { createKnownPaths } from '../../../../src/webview/text/knownPaths.ts';

function open() {
  const asked: (readonly string[])[] = [];
  let time = 0;
  const waiting: (() => void)[] = [];
  const known = createKnownPaths({
    ask: (paths) => asked.push(paths),
    now: () => time,
    later: (call) => waiting.push(call),
  });
  return {
    known,
    asked,
    pass(ms: number) {
      time += ms;
      for (const call of waiting.splice(0)) call();
    },
  };
}

describe('Paths on the page', () => {
  it('are asked about once, all together', () => {
    const { known, asked, pass } = open();
    for (const path of ['a.ts', 'b.ts', 'a.ts']) assert.equal(known.exists(path), undefined);
    assert.deepEqual(asked, []);
    pass(50);
    assert.deepEqual(asked, [['a.ts', 'b.ts']]);
    known.answered(['a.ts'], ['b.ts']);
    assert.equal(known.exists('a.ts'), true);
    assert.equal(known.exists('b.ts'), false);
    pass(50);
    assert.equal(asked.length, 1);
  });

  it('that didn’t exist are asked about again later, and meanwhile are still none', () => {
    const { known, asked, pass } = open();
    known.exists('new.ts');
    pass(50);
    known.answered([], ['new.ts']);
    pass(6000);
    assert.equal(known.exists('new.ts'), false);
    pass(50);
    assert.deepEqual(asked, [['new.ts'], ['new.ts']]);
    known.answered(['new.ts'], []);
    assert.equal(known.exists('new.ts'), true);
  });

  it('of which nothing was heard are asked about again when everything is shown anew', () => {
    const { known, asked, pass } = open();
    known.exists('lost.ts');
    pass(50);
    known.renew();
    known.exists('lost.ts');
    pass(50);
    assert.equal(asked.length, 2);
  });

  it('are asked about in parts, and are limited in number', () => {
    const { known, asked, pass } = open();
    for (let index = 0; index < 20_000; index++) known.exists(`${index}.ts`);
    pass(50);
    assert.ok(asked.every(({ length }) => length <= MAX_PATHS_ASKED));
    assert.equal(asked.flat().length, 5000);
  });
});
