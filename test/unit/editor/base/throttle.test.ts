import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { createThrottle } from '../../../../src/editor/base/throttle.ts';

describe('A throttle', () => {
  it('runs the first call at once, and the last of a burst at the end of the interval', async () => {
    let runs = 0;
    const throttle = createThrottle(20, () => runs++);
    for (let i = 0; i < 10; i++) throttle.call();
    assert.equal(runs, 1);
    await sleep(60);
    assert.equal(runs, 2);
  });

  it('runs a pending call when it is flushed, and only once', async () => {
    let runs = 0;
    const throttle = createThrottle(20, () => runs++);
    throttle.call();
    throttle.flush();
    assert.equal(runs, 1);
    throttle.call();
    throttle.flush();
    assert.equal(runs, 2);
    await sleep(60);
    assert.equal(runs, 2);
  });

  it('runs at once with `now`, and starts a new interval', async () => {
    let runs = 0;
    const throttle = createThrottle(20, () => runs++);
    throttle.now();
    throttle.now();
    assert.equal(runs, 2);
    throttle.call();
    assert.equal(runs, 2);
    await sleep(60);
    assert.equal(runs, 3);
  });

  it('can be used again after a pending call is canceled', async () => {
    let runs = 0;
    const throttle = createThrottle(20, () => runs++);
    throttle.call();
    throttle.call();
    throttle.cancel();
    await sleep(60);
    assert.equal(runs, 1);
    throttle.call();
    assert.equal(runs, 2);
  });

  it('runs nothing after it is disposed', async () => {
    let runs = 0;
    const throttle = createThrottle(20, () => runs++);
    throttle.call();
    throttle.call();
    throttle.dispose();
    await sleep(60);
    assert.equal(runs, 1);
  });
});
