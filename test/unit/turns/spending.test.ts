import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import {
  type Asker,
  createSpendingPolicy,
  type Spending,
  type SpendingPolicy,
} from '../../../src/turns/spending.ts';

const NOON = new Date(2026, 10, 20, 12).getTime();
const DAY_MS = 24 * 60 * 60 * 1000;
const CAP = 40;

describe('The daily cap', () => {
  let spent: number;
  let now: number;
  let agrees: boolean | Promise<boolean>;
  let asked: (Spending & { asker: Asker })[];
  let policy: SpendingPolicy;
  beforeEach(() => {
    spent = 5;
    now = NOON;
    agrees = false;
    asked = [];
    policy = createSpendingPolicy({
      spentToday: () => spent,
      now: () => now,
      async confirm(spending, asker) {
        asked.push({ ...spending, asker });
        return agrees;
      },
    });
  });

  it('allows a request below the cap without asking', async () => {
    assert.equal(await policy.check(CAP, 35, 'conversation'), undefined);
    assert.deepEqual(asked, []);
  });

  it('asks before a request that exceeds the cap, with the amount spent and the source of the request', async () => {
    const excess = { cap: 40, spent: 5, inputCost: 36 };
    assert.deepEqual(await policy.check(CAP, 36, 'other-chat'), excess);
    assert.deepEqual(asked, [{ ...excess, asker: 'other-chat' }]);
  });

  it('counts the cost of running turns until they are recorded', async () => {
    policy.putRunning('t1', 10);
    policy.putRunning('t1', 30);
    assert.equal((await policy.check(CAP, 10, 'conversation'))?.spent, 35);
    spent += 30;
    policy.dropRunning('t1');
    assert.equal((await policy.check(CAP, 10, 'conversation'))?.spent, 35);
  });

  it('allows the cap once more after an approval, for all sources of requests', async () => {
    agrees = true;
    assert.equal(await policy.check(CAP, 36, 'conversation'), undefined);
    agrees = false;
    for (const asker of ['conversation', 'other-chat', 'connection-check'] as const)
      assert.equal(await policy.check(CAP, 76, asker), undefined);
    assert.equal(asked.length, 1);
    // 5 spent, 36 approved, and 40 more.
    assert.equal((await policy.check(CAP, 77, 'conversation'))?.cap, 81);
  });

  it('asks again on the next day and after a change of the cap', async () => {
    agrees = true;
    await policy.check(CAP, 36, 'conversation');
    agrees = false;
    assert.equal((await policy.check(20, 36, 'conversation'))?.cap, 20);
    now += DAY_MS;
    assert.equal((await policy.check(CAP, 36, 'conversation'))?.cap, CAP);
  });

  it('shows one dialog at a time, because one approval can be enough for several requests', async () => {
    const answer = Promise.withResolvers<boolean>();
    agrees = answer.promise;
    const checks = [1, 2, 3].map(() => policy.check(CAP, 36, 'other-chat'));
    answer.resolve(true);
    assert.deepEqual(await Promise.all(checks), [undefined, undefined, undefined]);
    assert.equal(asked.length, 1);
  });

  it('asks for every request when the cap is zero', async () => {
    agrees = true;
    await policy.check(0, 1, 'conversation');
    spent += 1;
    await policy.check(0, 1, 'conversation');
    assert.equal(asked.length, 2);
  });
});
