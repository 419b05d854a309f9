import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import { FACTS } from '../conversation/turns.ts';
import { halfTurn, makeFolder, open, storeOn, withTurn } from './support.ts';

describe('A conversation that is loaded', () => {
  it('shows a turn as interrupted, with all received text, when its window no longer runs', async () => {
    const folder = await makeFolder();
    const first = storeOn(open(folder));
    first.take('c1');
    first.put(withTurn(createTurn('t1', 1000, FACTS)), 'e1');
    first.progress(withTurn(halfTurn()), halfTurn());
    first.dispose();
    const turn = storeOn(open(folder)).get('c1')?.exchanges[0]?.attempts[0];
    assert.equal(turn?.outcome, 'interrupted');
    assert.equal(turn?.answer, 'Half an ans');
    assert.equal(turn?.reasoning, 'Thinking.');
  });

  it('keeps that a turn was interrupted because its window was closed', async () => {
    const folder = await makeFolder();
    const first = storeOn(open(folder));
    first.take('c1');
    first.put(withTurn(halfTurn()), 'e1');
    first.dispose();
    for (const time of ['at once', 'in the next window']) {
      const store = storeOn(open(folder));
      const turn = store.get('c1')?.exchanges[0]?.attempts[0];
      assert.equal(turn?.outcome, 'interrupted', time);
      assert.equal(turn?.windowClosed, true, time);
      store.dispose();
    }
  });
});
