import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { atFirstUse } from '../../../../src/editor/base/atFirstUse.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';

describe('Code that is loaded at its first use', () => {
  let order: string[];
  const log = { warn: (line: string) => order.push(line) };
  const use = (name: string) => (value: string) => order.push(`${name} ${value}`);
  beforeEach(() => {
    order = [];
  });

  it('is not loaded before, and once for two that ask while it loads, who go on in their order', async () => {
    const { promise, resolve } = createDeferred<string>();
    const part = atFirstUse(() => {
      order.push('load');
      return promise;
    }, log);
    assert.deepEqual(order, []);
    const both = [part.run(use('first')), part.run(use('second'))];
    resolve('part');
    await Promise.all(both);
    assert.equal(await part.run((value) => value.length), 4);
    assert.deepEqual(order, ['load', 'first part', 'second part']);
  });

  it('is loaded again after it could not be, which is logged once and told to all who waited', async () => {
    let file: string | undefined;
    const part = atFirstUse(async () => {
      if (file === undefined) throw new Error('no such file');
      return file;
    }, log);
    const both = await Promise.allSettled([part.run(use('first')), part.run(use('second'))]);
    assert.deepEqual(
      both.map((one) => one.status === 'rejected' && one.reason.message),
      ['no such file', 'no such file'],
    );
    assert.deepEqual(order, ['loading a part of the extension failed: no such file']);
    file = 'part';
    await part.run(use('third'));
    assert.equal(order.at(-1), 'third part');
  });

  it('does nothing after it was disposed of, also while it was loading', async () => {
    const { promise, resolve } = createDeferred<string>();
    const part = atFirstUse(() => promise, log);
    const waiting = part.run(use('first'));
    part.dispose();
    resolve('part');
    assert.equal(await waiting, undefined);
    assert.equal(await part.run(use('second')), undefined);
    assert.deepEqual(order, []);
  });
});
