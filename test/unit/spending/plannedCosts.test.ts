import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import type { ChatRequest } from '../../../src/service/types.ts';
import { createDailyCapPolicy } from '../../../src/spending/dailyCap.ts';
import { createPlannedCosts } from '../../../src/spending/plannedCosts.ts';
import { REQUEST } from '../service/wire.ts';

/** The input costs about 0.3 USD. */
const LARGE: ChatRequest = { ...REQUEST, messages: [{ role: 'user', content: 'word '.repeat(80_000) }] };
const { signal } = new AbortController();

/** The costs of a turn whose cap can be set while it runs, and how often the user was asked. */
function begin() {
  let asked = 0;
  let cap: number | undefined;
  const spending = createDailyCapPolicy({
    spentToday: () => 0,
    confirm: async () => {
      asked++;
      return false;
    },
    now: () => 0,
  });
  const costsOf = (turnId: string) =>
    createPlannedCosts({
      spending,
      dailyCap: () => cap,
      asker: 'conversation',
      turnId,
      prices: DEFAULT_PRICES,
      route: { name: 'direct' },
      ratio: () => 1,
      isFree: false,
    });
  return { spending, costsOf, asked: () => asked, setCap: (next: number | undefined) => (cap = next) };
}

describe('The estimated costs of the requests of a turn', () => {
  it('count for a cap that is set while the turn runs', async () => {
    const { costsOf, asked, setCap } = begin();
    const costs = costsOf('a');
    assert.equal(await costs.check(LARGE, undefined, signal), undefined);
    setCap(0.4);
    assert.ok((await costs.check(LARGE, undefined, signal)) !== undefined);
    assert.ok((await costsOf('b').check(LARGE, undefined, signal)) !== undefined);
    assert.equal(asked(), 2);
  });

  it('stay those of the requests without usage when the cap was gone for one of them', async () => {
    const { spending, costsOf, setCap } = begin();
    const costs = costsOf('a');
    setCap(0.7);
    await costs.check(LARGE, undefined, signal);
    setCap(undefined);
    await costs.check(LARGE, undefined, signal);
    spending.putRunning('a', 0.3);
    setCap(0.7);
    assert.ok((await costs.check(LARGE, undefined, signal)) !== undefined);
  });
});
