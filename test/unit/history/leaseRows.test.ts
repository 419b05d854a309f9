import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createLeaseCheck, isLeaseDue, LEASE_MS } from '../../../src/history/leaseRows.ts';

const HOUR_MS = 3_600_000;

describe('The time until which a window surely runs', () => {
  /** A check, and a clock that can be set beside one that can't. */
  function begin() {
    const clock = { now: 10 * HOUR_MS, elapsed: 0 };
    const pass = (ms: number) => Object.assign(clock, { now: clock.now + ms, elapsed: clock.elapsed + ms });
    const isLeased = createLeaseCheck(
      () => clock.now,
      () => clock.elapsed,
    );
    return { clock, pass, isLeased };
  }

  /** The answers of every second, each when it is another one than before. */
  function answersOf({ pass, isLeased }: ReturnType<typeof begin>, until: number, ms: number): boolean[] {
    const answers: boolean[] = [];
    for (let passed = 0; passed <= ms; passed += 1000) {
      const answer = isLeased('a window', until);
      if (answers.at(-1) !== answer) answers.push(answer);
      pass(1000);
    }
    return answers;
  }

  it('ends with it', () => {
    const started = begin();
    const until = started.clock.now + LEASE_MS;
    assert.equal(started.isLeased('a window', until - LEASE_MS), false);
    assert.deepEqual(answersOf(started, until, 2 * LEASE_MS), [true, false]);
  });

  it('ends once, ten seconds after the clock was set back, and not again when the clock is right again', () => {
    const started = begin();
    const until = started.clock.now + LEASE_MS;
    started.clock.now -= HOUR_MS;
    assert.deepEqual(answersOf(started, until, HOUR_MS + 2 * LEASE_MS), [true, false]);
  });

  it('is looked at for each window and each time by itself', () => {
    const { clock, pass, isLeased } = begin();
    const until = clock.now + LEASE_MS;
    clock.now -= HOUR_MS;
    assert.equal(isLeased('one', until), true);
    pass(LEASE_MS);
    assert.deepEqual([isLeased('one', until), isLeased('another', until)], [false, true]);
    // A window that runs writes another time.
    assert.equal(isLeased('one', until + 1), true);
    // What the clock has passed is forgotten, and the rest is not.
    clock.now += HOUR_MS;
    assert.equal(isLeased('a third', clock.now + 2 * HOUR_MS), true);
    assert.equal(isLeased('one', until), false);
    clock.now = until - HOUR_MS;
    assert.equal(isLeased('one', until), true);
  });

  it('is written anew when half of it has passed, and when the clock was set back', () => {
    const now = 10 * HOUR_MS;
    for (const [ahead, isDue] of [
      [-1, true],
      [LEASE_MS / 2, true],
      [LEASE_MS / 2 + 1, false],
      [LEASE_MS, false],
      [LEASE_MS + 1, true],
      [HOUR_MS, true],
    ] as const)
      assert.equal(isLeaseDue(now + ahead, now), isDue, `${ahead} ms ahead`);
  });
});
