import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fetched } from '../../../scripts/lib/fetched.mjs';

describe('A download that is cached', () => {
  const name = `test-${randomUUID()}`;
  let fills = 0;
  const get = () =>
    fetched(name, 'Getting nothing for a test …', async (folder) => {
      fills++;
      await setImmediate();
      await writeFile(join(folder, 'file'), 'whole');
    });

  it('is done once when two jobs of a process ask for it at the same time, and not again afterwards', async () => {
    const [one, other] = await Promise.all([get(), get()]);
    try {
      assert.equal(one, other);
      assert.equal(await get(), one);
      assert.equal(await readFile(join(one, 'file'), 'utf8'), 'whole');
      assert.equal(fills, 1);
    } finally {
      await rm(one, { recursive: true, force: true });
    }
  });

  it('can be tried again after it failed', async () => {
    const failing = fetched(name, 'Getting nothing for a test …', async () => {
      throw new Error('no network');
    });
    await assert.rejects(failing, /no network/);
    await rm(await get(), { recursive: true, force: true });
  });
});
