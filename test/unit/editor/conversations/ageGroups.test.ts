import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ageGroupOf } from '../../../../src/editor/conversations/ageGroups.ts';

describe('The age group of a conversation', () => {
  const now = new Date(2026, 10, 21, 15, 0).getTime();
  const group = (...date: readonly [number, number, number, number]) =>
    ageGroupOf(new Date(date[0], date[1], date[2], date[3]).getTime(), now);
  it('uses the days of the local time zone', () => {
    assert.equal(group(2026, 10, 21, 0), 'today');
    assert.equal(group(2026, 10, 20, 23), 'yesterday');
    assert.equal(group(2026, 10, 20, 0), 'yesterday');
    assert.equal(group(2026, 10, 19, 23), 'week');
    assert.equal(group(2026, 9, 30, 12), 'month');
    assert.equal(group(2026, 8, 1, 12), 'older');
  });
  it('has seven and thirty days of 24 hours before today for a week and a month', () => {
    const midnight = new Date(2026, 10, 21).getTime();
    for (const [days, within, before] of [
      [7, 'week', 'month'],
      [30, 'month', 'older'],
    ] as const) {
      const border = midnight - days * 24 * 3_600_000;
      assert.deepEqual([ageGroupOf(border, now), ageGroupOf(border - 1, now)], [within, before]);
    }
  });
});
