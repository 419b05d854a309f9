import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { STORE_FAULTS } from '../../faults/store/disk.ts';

/** All faults of the disk: `npm run faults`. */
describe('A database that is damaged when a window opens', () => {
  const damaged = STORE_FAULTS.find(({ name }) => name === 'store-damaged-at-start');

  for (const cell of damaged?.cells ?? [])
    it(`${cell} is set aside or read, and the next turn is saved`, async () => {
      assert.deepEqual((await damaged?.play(cell))?.violations, []);
    });
});
