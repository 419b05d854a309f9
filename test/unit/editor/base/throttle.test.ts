import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { createThrottle } from '../../../../src/editor/base/throttle.ts';

describe('A throttle', () => {
  it('runs the first call at once, and the last of a burst when its time has come', async () => {
    let runs = 0;
    const throttle = createThrottle(20, () => runs++);
    for (let i = 0; i < 10; i++) throttle.call();
    assert.equal(runs, 1);
    await sleep(60);
    assert.equal(runs, 2);
  });

  it('runs at once what waits when it is flushed, and nothing twice', async () => {
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

  it('runs at once when it is told to, and counts the time from there', async () => {
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

  it('can be used again after what waits is dropped', async () => {
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

  it('runs nothing after it is disposed of', async () => {
    let runs = 0;
    const throttle = createThrottle(20, () => runs++);
    throttle.call();
    throttle.call();
    throttle.dispose();
    await sleep(60);
    assert.equal(runs, 1);
  });
});
