import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type DayUsage, toUsageCsv, toUsageSums } from '../../../../src/conversation/usage/usage.ts';

const day = (name: string, firstTokenMs: number | undefined): DayUsage => ({
  day: name,
  turns: 2,
  unreported: 1,
  promptTokens: 1000,
  cachedTokens: 256,
  reasoningTokens: 40,
  answerTokens: 10,
  cost: 0.5,
  firstTokenMs,
});

describe('Usage by day', () => {
  it('is summed', () => {
    const { turns, promptTokens, cost } = toUsageSums([day('a', 1), day('b', 2)]);
    assert.deepEqual([turns, promptTokens, cost], [4, 2000, 1]);
    assert.equal(toUsageSums([]).cost, 0);
    assert.equal(toUsageSums([]).reasoningTokens, 0);
  });

  it('is not known of a figure that no day has, unless nothing was billed', () => {
    const without = { ...day('a', 1), reasoningTokens: undefined };
    const free = { ...day('b', 1), reasoningTokens: 0 };
    const sumOf = (...days: readonly DayUsage[]) => toUsageSums(days).reasoningTokens;
    assert.deepEqual([sumOf(without), sumOf(without, free), sumOf(free)], [undefined, undefined, 0]);
    assert.equal(sumOf(without, day('c', 1)), 40);
  });

  it('is exported as CSV, with empty fields for unknown values', () => {
    assert.equal(
      toUsageCsv([day('2026-11-20', 900), day('2026-11-21', undefined)]),
      'day,turns,unreported,promptTokens,cachedTokens,reasoningTokens,answerTokens,cost,firstTokenMs\r\n' +
        '2026-11-20,2,1,1000,256,40,10,0.5,900\r\n2026-11-21,2,1,1000,256,40,10,0.5,\r\n',
    );
  });

  const rowOf = (of: Partial<DayUsage>) =>
    toUsageCsv([{ ...day('2026-11-20', 900), ...of }])
      .split('\r\n')
      .at(1);
  const none = { promptTokens: 0, cachedTokens: 0, reasoningTokens: 0, answerTokens: 0, cost: 0 };
  const unknown = {
    promptTokens: undefined,
    cachedTokens: undefined,
    reasoningTokens: undefined,
    answerTokens: undefined,
    cost: 0,
  };

  it('is exported with empty fields for a day of which nothing was reported', () => {
    assert.equal(rowOf({ ...unknown, turns: 2, unreported: 2 }), '2026-11-20,2,2,,,,,,900');
    // The cost of what is known can't be calculated.
    assert.equal(rowOf({ ...none, promptTokens: 7, unreported: 2 }), '2026-11-20,2,2,7,0,0,0,,900');
    assert.equal(rowOf({ ...unknown, promptTokens: 7, unreported: 2 }), '2026-11-20,2,2,7,,,,,900');
    // Nothing was billed, for example because all was refused.
    assert.equal(rowOf({ ...none, unreported: 0 }), '2026-11-20,2,0,0,0,0,0,0,900');
  });

  it('is exported with costs as plain decimals', () => {
    for (const [cost, text] of [
      [1.5e-7, '0.00000015'],
      [0.1 + 0.2, '0.3'],
      [12, '12'],
      [100.25, '100.25'],
      [1200, '1200'],
    ] as const)
      assert.equal(rowOf({ cost }), `2026-11-20,2,1,1000,256,40,10,${text},900`);
  });
});
