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
  });

  it('is exported as CSV, with empty fields for unknown values', () => {
    assert.equal(
      toUsageCsv([day('2026-11-20', 900), day('2026-11-21', undefined)]),
      'day,turns,unreported,promptTokens,cachedTokens,reasoningTokens,answerTokens,cost,firstTokenMs\r\n' +
        '2026-11-20,2,1,1000,256,40,10,0.5,900\r\n2026-11-21,2,1,1000,256,40,10,0.5,\r\n',
    );
  });
});
