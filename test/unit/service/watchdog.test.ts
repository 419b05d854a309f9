import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { ServiceError, type WaitPhase } from '../../../src/service/errors.ts';
import { createWatchdog, DEFAULT_LIMITS, type SilenceLimits } from '../../../src/service/watchdog.ts';

const PHASES: readonly WaitPhase[] = ['connecting', 'first-byte', 'reasoning', 'answering'];
const limits = (ms: number): SilenceLimits => ({
  connecting: ms,
  'first-byte': ms,
  reasoning: ms,
  answering: ms,
});

function reasonOf(signal: AbortSignal): ServiceError {
  assert.ok(signal.aborted, 'the watchdog barked');
  assert.ok(signal.reason instanceof ServiceError);
  return signal.reason;
}

describe('The watchdog', function () {
  // The timers are real, and a busy machine can stop this process for longer than a limit.
  this.retries(3);

  it('E9 waits for 1 minute to connect, 15 for the first byte, 10 for reasoning, and 5 for the answer', () => {
    assert.deepEqual(
      PHASES.map((phase) => DEFAULT_LIMITS[phase] / 60_000),
      [1, 15, 10, 5],
    );
  });

  for (const phase of PHASES) {
    it(`E9 aborts after the silence of the phase ${phase}, and names the phase`, async () => {
      const watchdog = createWatchdog({ ...limits(60_000), [phase]: 20 });
      watchdog.enter(phase);
      await sleep(60);
      watchdog.stop();
      const { kind, details } = reasonOf(watchdog.signal);
      assert.equal(kind, 'silent');
      assert.deepEqual(details, { phase, silentMs: 20 });
    });
  }

  it('restarts with each activity', async () => {
    const watchdog = createWatchdog(limits(400));
    for (let i = 0; i < 6; i++) {
      await sleep(80);
      watchdog.activity();
    }
    assert.equal(watchdog.signal.aborted, false);
    await once(watchdog.signal, 'abort');
    reasonOf(watchdog.signal);
  });

  it('restarts with each phase, with the limit of the phase', async () => {
    const watchdog = createWatchdog({ ...limits(40), reasoning: 60_000 });
    watchdog.enter('reasoning');
    await sleep(80);
    assert.equal(watchdog.signal.aborted, false);
    watchdog.stop();
  });

  for (const phase of PHASES.slice(1)) {
    it(`E9 aborts in the phase ${phase} if only keep-alives arrive for four times the limit, and says so`, async () => {
      const watchdog = createWatchdog({ ...limits(60_000), [phase]: 60 });
      watchdog.enter(phase);
      const alive = setInterval(() => watchdog.activity(), 10);
      await once(watchdog.signal, 'abort');
      clearInterval(alive);
      watchdog.stop();
      const { kind, details } = reasonOf(watchdog.signal);
      assert.equal(kind, 'silent');
      assert.deepEqual(details, { phase, silentMs: 240, keptAlive: true });
    });
  }

  it('does not abort a response that progresses, however long it takes', async () => {
    const watchdog = createWatchdog(limits(400));
    for (let i = 0; i < 12; i++) {
      await sleep(50);
      watchdog.activity();
      watchdog.progress();
    }
    assert.equal(watchdog.signal.aborted, false);
    watchdog.stop();
  });

  it('has a limit of its own after the finish reason, whatever phase begins then', async () => {
    const watchdog = createWatchdog({ ...limits(60_000), answering: 15 });
    watchdog.finish();
    watchdog.enter('answering');
    await sleep(40);
    assert.equal(watchdog.signal.aborted, false);
    watchdog.stop();
  });

  it('has the limit of the phase again if text follows the finish reason, also after a later one', async () => {
    const watchdog = createWatchdog({ ...limits(60_000), afterFinish: 20 });
    watchdog.enter('answering');
    watchdog.goOn();
    for (let i = 0; i < 2; i++) {
      watchdog.finish();
      watchdog.goOn();
      await sleep(50);
      assert.equal(watchdog.signal.aborted, false);
    }
    watchdog.finish();
    await sleep(50);
    assert.equal(watchdog.signal.aborted, false);
    watchdog.stop();
    const other = createWatchdog({ ...limits(60_000), answering: 20 });
    other.enter('answering');
    other.finish();
    other.goOn();
    await sleep(50);
    assert.equal(reasonOf(other.signal).details.phase, 'answering');
  });

  it('does nothing after it was stopped', async () => {
    const watchdog = createWatchdog(limits(15));
    watchdog.stop();
    watchdog.activity();
    await sleep(40);
    assert.equal(watchdog.signal.aborted, false);
  });

  it('does not count the time in which the computer slept, but the silence after it', async () => {
    let slept = 0;
    const watchdog = createWatchdog(limits(100), () => performance.now() + slept);
    slept = 60 * 60_000;
    await sleep(120);
    assert.equal(watchdog.signal.aborted, false);
    await once(watchdog.signal, 'abort');
    assert.deepEqual(reasonOf(watchdog.signal).details, { phase: 'connecting', silentMs: 100 });
  });

  it('does not count a sleep after the last data, nor for keep-alives', async () => {
    let slept = 0;
    const watchdog = createWatchdog(limits(60), () => performance.now() + slept);
    const alive = setInterval(() => watchdog.activity(), 10);
    await sleep(20);
    slept = 60 * 60_000;
    await sleep(280);
    assert.equal(watchdog.signal.aborted, false);
    await once(watchdog.signal, 'abort');
    clearInterval(alive);
    assert.equal(reasonOf(watchdog.signal).details.keptAlive, true);
  });

  it('treats a limit above the maximum of a timer as none', async () => {
    const watchdog = createWatchdog(limits(Number.MAX_SAFE_INTEGER));
    await sleep(20);
    assert.equal(watchdog.signal.aborted, false);
    watchdog.stop();
    const endless = createWatchdog(limits(Number.POSITIVE_INFINITY));
    await sleep(20);
    assert.equal(endless.signal.aborted, false);
    endless.stop();
  });
});
