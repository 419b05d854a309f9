import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'mocha';
import { untilAborted } from '../../../src/service/abort.ts';
import { createDeferred } from '../../../src/service/deferred.ts';

describe('Work with an abort signal', () => {
  it('resolves or rejects like the work itself, and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    assert.equal(await untilAborted(Promise.resolve(7), signal), 7);
    await assert.rejects(untilAborted(Promise.reject(new Error('broken')), signal), /broken/);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('rejects if the signal aborts before or during the work', async () => {
    const stop = new AbortController();
    const work = createDeferred<number>();
    const waiting = untilAborted(work.promise, stop.signal);
    const reason = new Error('stopped');
    stop.abort(reason);
    await assert.rejects(waiting, reason);
    await assert.rejects(untilAborted(work.promise, stop.signal), reason);
    await assert.rejects(untilAborted(Promise.resolve(7), stop.signal), reason);
    // A failure that comes too late is not reported.
    work.reject(new Error('late'));
    await new Promise(setImmediate);
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });
});
