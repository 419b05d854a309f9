import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { layOut } from '../../../src/panel/turnMapLayout.ts';

describe('The layout of a row of a map', () => {
  it('has all parts in their order, in widths that add up to 100', () => {
    const values = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(values, fc.integer({ min: 100, max: 900 }), (parts, room) => {
        const groups = layOut(parts, room);
        assert.deepEqual(
          groups.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)),
          parts.map((_, index) => index),
        );
        const sum = groups.reduce((total, { width }) => total + width, 0);
        assert.ok(Math.abs(sum - 100) < 1e-6, String(sum));
        const all = parts.reduce((total, one) => total + one, 0);
        for (const { from, to } of groups.filter((group) => group.to - group.from > 1))
          for (const value of parts.slice(from, to))
            assert.ok((value / all) * room < 2, 'only narrow ones are joined');
        // Two narrow neighbors are together, unless the first of them was already wide enough.
        for (const [index, { from, to }] of groups.entries()) {
          const next = groups[index + 1];
          const px = (parts.slice(from, to).reduce((total, one) => total + one, 0) / all) * room;
          const isNextNarrow = next !== undefined && ((parts[next.from] ?? 0) / all) * room < 2;
          assert.ok(px >= 2 || !isNextNarrow, `${px} px is beside a narrow part`);
        }
      }),
    );
  });

  it('keeps the shape of many equal parts, and shows a narrow one between wide ones', () => {
    const many = layOut(
      Array.from({ length: 1000 }, () => 1),
      300,
    );
    assert.ok(many.length > 30 && many.length < 50, String(many.length));
    const narrow = layOut([100, 0.01, 100], 300);
    assert.deepEqual(
      narrow.map(({ from, to }) => [from, to]),
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
    );
    assert.ok((narrow[1]?.width ?? 0) > 0.6);
    assert.deepEqual(layOut([], 300), []);
  });
});
