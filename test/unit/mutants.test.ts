import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { described, mutationsOf } from '../../scripts/mutants/mutations.mjs';

const changes = (source: string) => mutationsOf('a.ts', source).map((one) => described(source, one).change);

describe('The mutants of a file', () => {
  for (const [source, expected] of [
    ['const a = b < c;', ['const a = b «<→<=» c;', 'const a = b «<→>=» c;']],
    ['const a = b && c;', ['const a = b «&&→||» c;']],
    ['const a = b ?? "";', ['const a = «b ?? ""→b»;']],
    ['const a = "x" + b;', []],
    ['const a = b?.c;', ['const a = b«?.→.»c;']],
    ['const a = b?.[c];', ['const a = b«?.→»[c];']],
    ['if (a) return;', ['if («!(a)») return;', 'if («a→false») return;']],
    ['const a = await b();', ['const a = «await →»b();']],
    ['f(a, b);', ['«f(a, b);→;»', 'f(«a, b→b, a»);']],
    ['const a = Math.min(b, c);', ['const a = Math.«min→max»(b, c);']],
    ['const a = /^b$/;', ['const a = «/^b$/→/b$/»;', 'const a = «/^b$/→/^b/»;']],
    ['type A = 1 | "" | true;', []],
    ['const a: 1 = 2;', ['const a: 1 = «2→3»;']],
  ] as const)
    it(`are ${expected.length} of ${source}`, () => assert.deepEqual(changes(source), expected));

  it('have the line of the change, counted from 1', () => {
    const source = 'a;\n\nconst b = c - d;\n';
    assert.deepEqual(
      mutationsOf('a.ts', source).map((one) => described(source, one).line),
      [1, 3],
    );
  });
});
