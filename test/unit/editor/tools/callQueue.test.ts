import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createCallQueue } from '../../../../src/editor/tools/callQueue.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';

describe('Calls that run one after the other', () => {
  it('wait for the user while a dialog about the one before them is open, and only then', async () => {
    const queue = createCallQueue();
    const log: string[] = [];
    const call = (name: string, conversationId = 'c1') => ({
      conversationId,
      signal: new AbortController().signal,
      enter: (state: string) => void log.push(`${name} ${state}`),
    });
    const begins = createDeferred<void>();
    const answered = createDeferred<void>();
    const first = queue.run(call('first'), async (whileAsking) => {
      await begins.promise;
      await whileAsking(() => answered.promise);
      throw new Error('refused');
    });
    const second = queue.run(call('second'), async () => log.push('second runs'));
    const elsewhere = queue.run(call('elsewhere', 'c2'), async () => log.push('elsewhere runs'));
    await elsewhere;
    assert.deepEqual(log.splice(0), ['elsewhere runs']);
    begins.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(log.splice(0), ['second waiting']);
    const third = queue.run(call('third'), async () => log.push('third runs'));
    assert.deepEqual(log.splice(0), ['third waiting'], 'it came while the dialog was open');
    answered.resolve();
    await assert.rejects(first, { message: 'refused' });
    await Promise.all([second, third]);
    assert.deepEqual(log, ['second running', 'third running', 'second runs', 'third runs']);
  });

  it('do not wait for one that was stopped and never ends', async () => {
    const queue = createCallQueue();
    const stop = new AbortController();
    const call = { conversationId: 'c1', enter: () => undefined };
    const hangs = queue.run({ ...call, signal: stop.signal }, () => new Promise(() => undefined));
    const next = queue.run({ ...call, signal: new AbortController().signal }, async () => 'ran');
    stop.abort(new Error('stopped'));
    await assert.rejects(hangs, { message: 'stopped' });
    assert.equal(await next, 'ran');
  });
});
