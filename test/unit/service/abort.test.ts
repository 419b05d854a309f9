import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'mocha';
import { untilAborted } from '../../../src/service/abort.ts';

describe('Work that may be aborted', () => {
  it('gives what it gives, or fails as it fails, and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    assert.equal(await untilAborted(Promise.resolve(7), signal), 7);
    await assert.rejects(untilAborted(Promise.reject(new Error('broken')), signal), /broken/);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('is not waited for when the signal aborts, before or while it runs', async () => {
    const stop = new AbortController();
    const work = Promise.withResolvers<number>();
    const waiting = untilAborted(work.promise, stop.signal);
    const reason = new Error('stopped');
    stop.abort(reason);
    await assert.rejects(waiting, reason);
    await assert.rejects(untilAborted(work.promise, stop.signal), reason);
    await assert.rejects(untilAborted(Promise.resolve(7), stop.signal), reason);
    // Nobody hears of a failure that comes too late.
    work.reject(new Error('late'));
    await new Promise(setImmediate);
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });
});
