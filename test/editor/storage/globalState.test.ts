/** The global state in the editor, which drops what is written while an earlier update is on its way. */
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { createGlobalState } from '../../../src/editor/storage/globalState.ts';
import { type Scripted, startScripted } from '../scripted.ts';

describe('The global state in the editor', () => {
  let scripted: Scripted;
  before(async () => {
    scripted = await startScripted();
  });
  after(async () => {
    for (const name of ['a', 'b']) await scripted.context.globalState.update(`k3.test.${name}`, undefined);
    await scripted.close();
  });

  it('keeps a value that is written while another one is on its way', async () => {
    const stored = scripted.context.globalState;
    const state = createGlobalState(stored, { warn: assert.fail });
    // Without the module, more than half of them are lost.
    for (let round = 0; round < 100; round += 1) {
      const first = state.update('k3.test.a', { round });
      await wait(round % 5);
      // The state comes back from the storage while this thread is busy.
      const end = performance.now() + ((round * 7) % 31) / 10;
      while (performance.now() < end);
      await Promise.all([first, state.update('k3.test.b', { round })]);
      assert.deepEqual([stored.get('k3.test.a'), stored.get('k3.test.b')], [{ round }, { round }]);
    }
  });
});
