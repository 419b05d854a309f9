import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ContextPart } from '../../../../src/conversation/context/context.ts';
import {
  PAUSE_CHARACTERS,
  relocatePart,
  toTextLines,
} from '../../../../src/conversation/context/relocation.ts';

const part: ContextPart = { label: 'a.ts', text: 'b\nc', range: { startLine: 1, endLine: 2 } };

/** The part in the text, and the number of pauses until it was found. */
function relocate(text: string, wanted: ContextPart) {
  const work = relocatePart(toTextLines(text), wanted);
  let pauses = 0;
  for (;;) {
    const step = work.next();
    if (step.done) return { part: step.value, pauses };
    pauses++;
  }
}

const rangeOf = (text: string, wanted: ContextPart) => relocate(text, wanted).part?.range;

describe('Selected lines', () => {
  it('are found where they moved', () => {
    assert.deepEqual(rangeOf('x\ny\na\nb\nc\nd', part), { startLine: 3, endLine: 4 });
  });

  it('are the nearest ones if they occur twice', () => {
    const text = 'b\nc\n-\n-\n-\n-\n-\nb\nc';
    assert.deepEqual(rangeOf(text, part), { startLine: 0, endLine: 1 });
    const later = { ...part, range: { startLine: 6, endLine: 7 } };
    assert.deepEqual(rangeOf(text, later), { startLine: 7, endLine: 8 });
    const between = { ...part, range: { startLine: 3, endLine: 4 } };
    assert.deepEqual(rangeOf(text, between), { startLine: 0, endLine: 1 });
  });

  it('are not found if their text was removed', () => assert.equal(rangeOf('a\nb\nX\nc', part), undefined));

  it('are not found if text was inserted into them', () => {
    assert.equal(rangeOf('a\nab\nc\nd', part), undefined);
    assert.equal(rangeOf('a\nb\ncd', part), undefined);
  });

  it('are found if they repeat themselves, also where two occurrences overlap', () => {
    const twice = { ...part, text: 'b\nb\nc\nb\nb', range: { startLine: 9, endLine: 13 } };
    assert.deepEqual(rangeOf('b\nb\nb\nc\nb\nb\nc\nb\nb\n', twice), { startLine: 4, endLine: 8 });
    assert.deepEqual(rangeOf('b\nb\nb\nc\nb\nb', twice), { startLine: 1, endLine: 5 });
  });

  it('can end with an empty line', () => {
    const spaced = { ...part, text: 'b\n' };
    assert.deepEqual(rangeOf('a\nb\n\nc', spaced), { startLine: 1, endLine: 2 });
    assert.equal(rangeOf('a\nb\nc', spaced), undefined);
  });

  it('are found if their text was cut after a line', () => {
    const cut = { label: 'a.ts', text: 'b\nc\n', linesInAll: 9, range: { startLine: 0, endLine: 8 } };
    assert.deepEqual(rangeOf('a\nb\nc\nd\ne', cut), { startLine: 1, endLine: 9 });
  });

  it('within one line are found anywhere in a line', () => {
    const word = { label: 'a.ts', text: 'aab', range: { startLine: 0, endLine: 0 } };
    assert.deepEqual(rangeOf('x\nxaaab;\nab', word), { startLine: 1, endLine: 1 });
    assert.equal(rangeOf('aa\nb', word), undefined);
    assert.equal(rangeOf('', word), undefined);
  });

  it('are the same as the nearest of all occurrences, for any text', () => {
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 2000; round++) {
      const lines = Array.from({ length: 1 + next(12) }, () => 'ab'.slice(0, next(3)));
      const wanted = Array.from({ length: 2 + next(3) }, () => 'ab'.slice(0, next(3)));
      const startLine = next(12);
      const starts = [...lines.keys()].filter((at) => wanted.every((line, i) => lines[at + i] === line));
      const [nearest] = starts.toSorted((a, b) => Math.abs(a - startLine) - Math.abs(b - startLine));
      const range = { startLine, endLine: startLine + wanted.length - 1 };
      const found = rangeOf(lines.join('\n'), { label: 'a', text: wanted.join('\n'), range });
      assert.equal(found?.startLine, nearest, JSON.stringify({ lines, wanted, startLine }));
    }
  });
});

describe('The work to find selected lines', () => {
  // A pause comes after a fixed number of comparisons.
  const kinds: readonly (readonly [
    name: string,
    whole: (n: number) => string,
    text: (n: number) => string,
  ])[] = [
    ['equal lines', (n) => 'a\n'.repeat(n), (n) => 'a\n'.repeat(n / 4)],
    ['equal lines that end otherwise', (n) => 'a\n'.repeat(n), (n) => `${'a\n'.repeat(n / 4)}b`],
    ['empty lines', (n) => '\n'.repeat(2 * n), (n) => `b${'\n'.repeat(n / 2)}`],
    ['one line', (n) => 'a'.repeat(2 * n), (n) => `b${'a'.repeat(n / 2)}`],
  ];

  for (const [name, whole, text] of kinds)
    it(`doubles with the text: ${name}`, () => {
      const range = { startLine: 1e9, endLine: 1e9 };
      const pausesOf = (n: number) => relocate(whole(n), { label: 'a', text: text(n), range }).pauses;
      const once = pausesOf(8 * PAUSE_CHARACTERS);
      assert.ok(once >= 8, `${once} pauses`);
      assert.ok(pausesOf(16 * PAUSE_CHARACTERS) <= 2 * once + 2);
    });
});
