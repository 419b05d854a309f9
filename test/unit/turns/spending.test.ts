import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import {
  type Asker,
  createSpendingPolicy,
  type Spending,
  type SpendingPolicy,
} from '../../../src/turns/spending.ts';
import { NEVER } from '../service/wire.ts';

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

  const check = (dailyCap: number, inputCost: number, asker: Asker, signal = NEVER) =>
    policy.check({ dailyCap, inputCost, asker, signal });

  it('allows a request below the cap without asking', async () => {
    assert.equal(await check(CAP, 35, 'conversation'), undefined);
    assert.deepEqual(asked, []);
  });

  it('asks before a request that exceeds the cap, with the amount spent and the source of the request', async () => {
    const excess = { cap: 40, spent: 5, inputCost: 36 };
    assert.deepEqual(await check(CAP, 36, 'other-chat'), excess);
    assert.deepEqual(asked, [{ ...excess, asker: 'other-chat' }]);
  });

  it('counts the cost of running turns until they are recorded', async () => {
    policy.putRunning('t1', 10);
    policy.putRunning('t1', 30);
    assert.equal((await check(CAP, 10, 'conversation'))?.spent, 35);
    spent += 30;
    policy.dropRunning('t1');
    assert.equal((await check(CAP, 10, 'conversation'))?.spent, 35);
  });

  it('allows the cap once more after an approval, for all sources of requests', async () => {
    agrees = true;
    assert.equal(await check(CAP, 36, 'conversation'), undefined);
    agrees = false;
    for (const asker of ['conversation', 'other-chat', 'connection-check'] as const)
      assert.equal(await check(CAP, 76, asker), undefined);
    assert.equal(asked.length, 1);
    // 5 spent, 36 approved, and 40 more.
    assert.equal((await check(CAP, 77, 'conversation'))?.cap, 81);
  });

  it('asks again on the next day and after a change of the cap', async () => {
    agrees = true;
    await check(CAP, 36, 'conversation');
    agrees = false;
    assert.equal((await check(20, 36, 'conversation'))?.cap, 20);
    now += DAY_MS;
    assert.equal((await check(CAP, 36, 'conversation'))?.cap, CAP);
  });

  it('shows one dialog at a time, because one approval can be enough for several requests', async () => {
    const answer = Promise.withResolvers<boolean>();
    agrees = answer.promise;
    const checks = [1, 2, 3].map(() => check(CAP, 36, 'other-chat'));
    answer.resolve(true);
    assert.deepEqual(await Promise.all(checks), [undefined, undefined, undefined]);
    assert.equal(asked.length, 1);
  });

  it('does not wait for the dialog when the request is stopped, and its late approval allows nothing', async () => {
    const answer = Promise.withResolvers<boolean>();
    agrees = answer.promise;
    const stop = new AbortController();
    const stopped = check(CAP, 36, 'conversation', stop.signal);
    const next = check(CAP, 37, 'conversation');
    await Promise.resolve();
    stop.abort();
    await assert.rejects(stopped, { name: 'AbortError' });
    agrees = false;
    answer.resolve(true);
    assert.equal((await next)?.cap, CAP);
    assert.deepEqual(
      asked.map(({ inputCost }) => inputCost),
      [36, 37],
    );
  });

  it('does not ask for a request that was stopped while it waited for another dialog', async () => {
    const answer = Promise.withResolvers<boolean>();
    agrees = answer.promise;
    const first = check(CAP, 36, 'conversation');
    const stop = new AbortController();
    const waiting = check(CAP, 37, 'other-chat', stop.signal);
    stop.abort();
    answer.resolve(false);
    await assert.rejects(waiting, { name: 'AbortError' });
    await first;
    await check(CAP, 38, 'conversation');
    assert.deepEqual(
      asked.map(({ inputCost }) => inputCost),
      [36, 38],
    );
  });

  it('asks for every request when the cap is zero', async () => {
    agrees = true;
    await check(0, 1, 'conversation');
    spent += 1;
    await check(0, 1, 'conversation');
    assert.equal(asked.length, 2);
  });
});
