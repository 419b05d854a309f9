import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { startWakingTimer } from '../../../src/service/wakingTimer.ts';
import { createWatchdog } from '../../../src/service/watchdog.ts';

const MINUTE_MS = 60_000;

describe('The time of a limit', () => {
  let now: number;
  let calls: number;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    now = 0;
    calls = 0;
  });
  afterEach(() => mock.timers.reset());

  const start = (ms = MINUTE_MS) =>
    startWakingTimer(
      ms,
      () => calls++,
      () => now,
    );

  /** The computer is awake: the clock and the timers go on together. */
  function pass(ms: number): void {
    for (let left = ms; left > 0; left -= 100) {
      now += Math.min(left, 100);
      mock.timers.tick(Math.min(left, 100));
    }
  }

  /** The computer sleeps. The clock goes on, and where `timers` is true the timers as well, but nothing runs. */
  function sleep(ms: number, timers: boolean): void {
    now += ms;
    if (timers) mock.timers.tick(ms);
  }

  it('is over exactly then, once, and never when it was stopped', () => {
    start();
    const stopped = start();
    pass(MINUTE_MS - 100);
    stopped.stop();
    assert.equal(calls, 0);
    pass(100);
    assert.equal(calls, 1);
    pass(3 * MINUTE_MS);
    assert.equal(calls, 1);
  });

  it('starts again with each refresh, also in the middle of a slice', () => {
    const timer = start();
    for (let i = 0; i < 10; i++) {
      pass(37_300);
      timer.refresh();
    }
    assert.equal(calls, 0);
    pass(MINUTE_MS - 100);
    assert.equal(calls, 0);
    pass(100);
    assert.equal(calls, 1);
  });

  for (const timers of [true, false]) {
    const clock = timers ? 'timers go on in it' : 'timers stop in it';
    for (const sleptMs of [8000, 58_500, 60 * MINUTE_MS]) {
      it(`does not include a sleep of ${sleptMs / 1000} s, where ${clock}`, () => {
        start();
        pass(1000);
        sleep(sleptMs, timers);
        pass(MINUTE_MS - 1000);
        assert.equal(calls, 0, 'the time starts again when the computer wakes');
        pass(MINUTE_MS);
        assert.equal(calls, 1);
      });
    }
  }

  it('includes no sleep in the silence of a service, which ends just before the limit', () => {
    const limits = { connecting: MINUTE_MS, 'first-byte': 1, reasoning: 1, answering: 1 };
    const watchdog = createWatchdog(limits, () => now);
    pass(1000);
    sleep(58_500, true);
    pass(1000);
    assert.equal(watchdog.signal.aborted, false);
    pass(MINUTE_MS);
    assert.equal(watchdog.signal.aborted, true);
  });
});
