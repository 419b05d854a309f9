import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { createKeyedQueue } from '../../../../src/editor/base/keyedQueue.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';

describe('A keyed queue', () => {
  it('runs the work of one key in order, and that of another key at the same time', async () => {
    const queue = createKeyedQueue();
    const ended: string[] = [];
    const first = createDeferred<void>();
    const works = [
      queue.run('a', async () => {
        await first.promise;
        ended.push('a1');
      }),
      queue.run('a', async () => void ended.push('a2')),
      queue.run('b', async () => void ended.push('b1')),
    ];
    await turn();
    assert.deepEqual(ended, ['b1']);
    first.resolve();
    await Promise.all(works);
    assert.deepEqual(ended, ['b1', 'a1', 'a2']);
  });

  it('goes on after work that fails, and gives the error to its caller only', async () => {
    const queue = createKeyedQueue();
    const failing = queue.run('a', () => Promise.reject(new Error('broken by the test')));
    const next = queue.run('a', async () => 'done');
    await assert.rejects(failing, /broken by the test/);
    assert.equal(await next, 'done');
    assert.equal(await queue.run('a', async () => 'done later'), 'done later');
  });

  it('is idle when the work of a key has ended or failed', async () => {
    const queue = createKeyedQueue();
    await queue.idle('a');
    let ended = false;
    const failing = queue.run('a', async () => {
      await turn();
      ended = true;
      throw new Error('broken by the test');
    });
    await Promise.all([assert.rejects(failing), queue.idle('a')]);
    assert.ok(ended);
  });
});
