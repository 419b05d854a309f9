/** The verdict about the figures of a long run. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeLevels, levelsOff, toLevels } from '../support/levels.ts';

describe('The figures of a long run', () => {
  const verdictOf = (...values: number[]) => {
    const [level] = toLevels(
      values.map((heap) => ({ heap })),
      () => 1.05,
    );
    assert.ok(level);
    return levelsOff(level);
  };

  it('level off when the second half adds almost nothing, whatever the first one did', () => {
    assert.ok(verdictOf(10, 40, 41, 41.5));
    assert.ok(verdictOf(40, 40, 60, 39));
    assert.ok(verdictOf(0, 0, 0, 0));
  });

  it('do not level off when the second half adds as much as the first one', () => {
    assert.ok(!verdictOf(10, 20, 30, 40));
    assert.ok(!verdictOf(0, 0, 0, 1));
    assert.ok(!verdictOf(20, 20, 20, 22));
  });

  it('do not level off when one is missing', () => assert.ok(!verdictOf(1, 1, 1, Number.NaN)));

  it('are printed with the verdict of each', () => {
    const samples = [1, 2, 2, 2].map((handles, at) => ({ handles, nodes: 100 * at + 100 }));
    const text = describeLevels(
      'Page',
      toLevels(samples, () => 1.05),
    );
    assert.match(text, /handles .* 1\.000 {2}levels off\nnodes .* 2\.000 {2}GROWS/);
  });
});
