import assert from 'node:assert/strict';
import { existsSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { withLock } from '../../../src/history/settingAsideLock.ts';
import { makeFolder } from './support.ts';

describe('The lock of a window that sets the database aside', () => {
  it('may be gone at its end, because another window has waited too long for it, and what was done counts', async () => {
    const folder = await makeFolder();
    const lock = join(folder, 'setting-aside.lock');
    const done = withLock(folder, () => {
      rmdirSync(lock);
      return 'set aside';
    });
    assert.deepEqual([done, existsSync(lock)], ['set aside', false]);
  });

  it('is removed at its end, also if that is an error', async () => {
    const folder = await makeFolder();
    const fail = () => {
      throw new Error('full');
    };
    assert.throws(() => withLock(folder, fail), /full/);
    assert.equal(existsSync(join(folder, 'setting-aside.lock')), false);
  });
});
