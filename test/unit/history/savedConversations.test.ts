import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import type { StorageTrouble } from '../../../src/history/sqlite.ts';
import { completeTurn, FACTS } from '../conversation/turns.ts';
import {
  conversation,
  exchange,
  halfTurn,
  makeFolder,
  onFullDisk,
  open,
  storeOn,
  withTurn,
} from './support.ts';

describe('A conversation that is saved', () => {
  it('stops writing a running turn when its conversation is deleted, after its last text', async () => {
    const folder = await makeFolder();
    const real = open(folder);
    let renewals = 0;
    const store = storeOn({
      ...real,
      renew() {
        renewals++;
        real.renew();
      },
    });
    store.take('c1');
    store.put(withTurn(createTurn('t1', 1000, FACTS)), 'e1');
    store.progress(withTurn(halfTurn()), halfTurn());
    store.remove('c1');
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(renewals, 0);
    real.restore('c1');
    assert.equal(real.load('c1')?.exchanges[0]?.attempts[0]?.answer, 'Half an ans');
    store.dispose();
    assert.equal(renewals, 0);
  });

  it('keeps a conversation in memory while the disk is full, and writes it when there is space', async () => {
    const folder = await makeFolder();
    const real = open(folder);
    const disk = onFullDisk(real, 'putExchange');
    const troubles: (StorageTrouble | undefined)[] = [];
    const store = storeOn(disk.history, troubles);
    store.put(withTurn(completeTurn()), 'e1');
    assert.deepEqual(troubles, ['full']);
    assert.equal(store.get('c1')?.exchanges.length, 1);
    assert.equal(store.list().length, 1);
    disk.full = false;
    store.put(
      conversation('c1', [
        exchange('e1', 'Why?', [completeTurn()]),
        exchange('e2', 'And?', [{ ...completeTurn(), id: 't2' }]),
      ]),
      'e2',
    );
    assert.deepEqual(troubles, ['full', undefined]);
    assert.equal(real.load('c1')?.exchanges.length, 2);
    store.dispose();
  });

  it('keeps the last 20 conversations in memory, and all of them while something cannot be written', async () => {
    const disk = onFullDisk(open(await makeFolder()), 'putHeader');
    const troubles: (StorageTrouble | undefined)[] = [];
    const store = storeOn(disk.history, troubles);
    const put = (n: number) => store.put(conversation(`c${n}`, [exchange(`e${n}`, 'Why?', [])]), `e${n}`);
    disk.full = false;
    for (let n = 1; n <= 25; n++) put(n);
    assert.deepEqual(
      store.open().map(({ id }) => id),
      Array.from({ length: 20 }, (_, i) => `c${i + 6}`),
    );
    disk.full = true;
    for (let n = 26; n <= 30; n++) put(n);
    // The first of the five replaced another one, because that it can't be written shows only afterwards.
    assert.deepEqual([store.open().length, troubles], [24, ['full']]);
    disk.full = false;
    put(31);
    store.dispose();
    assert.deepEqual(troubles, ['full', undefined]);
  });
});
