import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createDeferred } from '../../../src/service/deferred.ts';
import {
  type Asker,
  createDailyCapPolicy,
  type DailyCapPolicy,
  type Spending,
} from '../../../src/spending/dailyCap.ts';
import { NEVER } from '../service/wire.ts';

const NOON = new Date(2026, 10, 20, 12).getTime();
const DAY_MS = 24 * 60 * 60 * 1000;
const CAP = 40;

describe('The daily cap', () => {
  let spent: number;
  let now: number;
  let agrees: boolean | Promise<boolean>;
  let asked: (Spending & { asker: Asker })[];
  let policy: DailyCapPolicy;
  beforeEach(() => {
    spent = 5;
    now = NOON;
    agrees = false;
    asked = [];
    policy = createDailyCapPolicy({
      spentToday: () => spent,
      now: () => now,
      async confirm(spending, asker) {
        asked.push({ ...spending, asker });
        return agrees;
      },
    });
  });

  /** Each check is of another turn, which has ended without cost after it. */
  const check = async (dailyCap: number, inputCost: number, asker: Asker, signal = NEVER) => {
    const excess = await policy.check({ turnId: 'checked', dailyCap, inputCost, asker, signal });
    policy.dropRunning('checked');
    return excess;
  };
  /** A check of a turn that continues. */
  const reserve = (turnId: string, inputCost: number) =>
    policy.check({ turnId, dailyCap: CAP, inputCost, asker: 'other-chat', signal: NEVER });

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

  it('takes an approval after midnight for the day before, and asks again only if the new day needs it', async () => {
    const answers = [createDeferred<boolean>(), createDeferred<boolean>()];
    agrees = answers[0]?.promise ?? assert.fail();
    const small = check(CAP, 36, 'conversation');
    await Promise.resolve();
    now += DAY_MS;
    spent = 0;
    answers[0]?.resolve(true);
    assert.equal(await small, undefined);
    agrees = false;
    assert.equal((await check(CAP, 41, 'conversation'))?.cap, CAP, 'the new day has its own cap');

    agrees = answers[1]?.promise ?? assert.fail();
    const large = check(CAP, 50, 'conversation');
    await Promise.resolve();
    now += DAY_MS;
    spent = 1;
    agrees = true;
    answers[1]?.resolve(true);
    assert.equal(await large, undefined);
    agrees = false;
    assert.deepEqual(asked.splice(-2), [
      { cap: CAP, spent: 0, inputCost: 50, asker: 'conversation' },
      { cap: CAP, spent: 1, inputCost: 50, asker: 'conversation' },
    ]);
    assert.equal((await check(CAP, 91, 'conversation'))?.cap, 91);
  });

  it('shows one dialog at a time, because one approval can be enough for several requests', async () => {
    const answer = createDeferred<boolean>();
    agrees = answer.promise;
    spent = CAP;
    const checks = ['t1', 't2', 't3'].map((turnId) => reserve(turnId, 13));
    answer.resolve(true);
    assert.deepEqual(await Promise.all(checks), [undefined, undefined, undefined]);
    assert.equal(asked.length, 1);
  });

  it('counts the estimate of a request that runs until its usage is reported', async () => {
    assert.equal(await reserve('t1', 30), undefined);
    assert.equal((await reserve('t2', 10))?.spent, 35);
    policy.putRunning('t1', undefined);
    assert.equal((await reserve('t2', 10))?.spent, 35);
    policy.putRunning('t1', 20);
    assert.equal(await reserve('t2', 10), undefined);
    // The next request of the same turn.
    assert.equal((await reserve('t1', 10))?.spent, 35);
    assert.equal(await reserve('t1', 5), undefined);
    assert.equal((await reserve('t3', 1))?.spent, 40);
  });

  it('counts the estimate of an earlier request without usage until the end of the turn', async () => {
    await reserve('t1', 20);
    // The first request has ended without usage.
    await reserve('t1', 10);
    policy.putRunning('t1', 4);
    // The usage can come twice.
    policy.putRunning('t1', 4);
    assert.equal((await reserve('t2', 12))?.spent, 29);
    policy.dropRunning('t1');
    assert.equal((await reserve('t2', 36))?.spent, 5);
  });

  it('no longer counts the last request of a turn when the service refused it', async () => {
    await reserve('t1', 5);
    await reserve('t1', 20);
    policy.dropRefused('t1');
    assert.equal((await reserve('t1', 31))?.spent, 10);
    assert.equal(await reserve('t1', 30), undefined);
    policy.dropRefused('t2');
    assert.equal((await reserve('t2', 1))?.spent, 40);
  });

  it('asks about the requests that exceed the cap only together', async () => {
    spent = CAP - 1;
    const turnIds = ['t1', 't2', 't3', 't4', 't5'];
    const checks = await Promise.all(turnIds.map((turnId) => reserve(turnId, 0.4)));
    assert.equal(checks.filter((excess) => excess === undefined).length, 2);
    assert.equal(asked.length, 3);
  });

  it('no longer counts the estimate of a turn that has ended, or that was not approved', async () => {
    await reserve('t1', 30);
    policy.dropRunning('t1');
    assert.ok((await reserve('t2', 36)) !== undefined);
    assert.equal(await reserve('t3', 35), undefined);
  });

  it('does not wait for the dialog when the request is stopped, and its late approval allows nothing', async () => {
    const answer = createDeferred<boolean>();
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
    const answer = createDeferred<boolean>();
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

  it('counts nothing for a request that is stopped in the moment in which it is approved', async () => {
    for (let moments = 0; moments < 12; moments++) {
      const answer = createDeferred<boolean>();
      agrees = answer.promise;
      const stop = new AbortController();
      const request = { turnId: `t${moments}`, dailyCap: 1, inputCost: 3, asker: 'conversation' as const };
      const checked = policy.check({ ...request, signal: stop.signal });
      answer.resolve(true);
      for (let moment = 0; moment < moments; moment++) await Promise.resolve();
      stop.abort();
      const isAllowed = await checked.then(
        () => true,
        () => false,
      );
      // One cap after the other, so that no approval is enough for the next request.
      agrees = false;
      assert.equal(
        (await check(0, 1, 'conversation'))?.spent,
        isAllowed ? spent + 3 : spent,
        String(moments),
      );
      policy.dropRunning(request.turnId);
    }
  });

  it('still counts the earlier requests of a turn that is stopped while the user is asked about its next one', async () => {
    const answer = createDeferred<boolean>();
    agrees = answer.promise;
    await reserve('t1', 10);
    const stop = new AbortController();
    const next = { turnId: 't1', dailyCap: 1, inputCost: 3, asker: 'conversation' as const };
    const asking = policy.check({ ...next, signal: stop.signal });
    await Promise.resolve();
    stop.abort();
    answer.resolve(false);
    await assert.rejects(asking, { name: 'AbortError' });
    assert.equal((await check(1, 3, 'conversation'))?.spent, 15);
    policy.dropRunning('t1');
    assert.equal((await check(1, 3, 'conversation'))?.spent, 5);
  });

  it('asks for every request when the cap is zero', async () => {
    agrees = true;
    await check(0, 1, 'conversation');
    spent += 1;
    await check(0, 1, 'conversation');
    assert.equal(asked.length, 2);
  });
});
