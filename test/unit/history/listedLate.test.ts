/** The list of a window that couldn't write for a while, because another program had locked the database. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ConversationStore } from '../../../src/history/conversationStore.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, storeOn } from './support.ts';

const BUSY = 5;
const asked = (id: string) =>
  conversation(id, [exchange(`e-${id}`, 'Why?', [{ ...completeTurn(), id: `t-${id}` }])]);
const titlesOf = (store: Pick<ConversationStore, 'list'>) =>
  store
    .list()
    .map(({ title }) => title)
    .toSorted();

describe('The list of a window that couldn’t write for a while', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  async function withTwo() {
    const folder = await makeFolder();
    const disk = onFullDisk(open(folder), 'remove', 'restore', 'putHeader');
    Object.assign(disk, { full: false, errcode: BUSY });
    const store = storeOn(disk.history, [], () => undefined);
    for (const id of ['c1', 'c2']) store.put(asked(id), `e-${id}`);
    assert.equal(store.list().length, 2);
    store.poll();
    return { disk, store, stored: () => titlesOf(open(folder)) };
  }

  it('is without what was deleted meanwhile, which is deleted at the next look when that is possible', async () => {
    const { disk, store, stored } = await withTwo();
    disk.full = true;
    store.remove('c1');
    assert.deepEqual([titlesOf(store), stored()], [['Title of c2'], ['Title of c1', 'Title of c2']]);
    assert.equal(store.poll().listed, false);
    disk.full = false;
    assert.equal(store.poll().listed, true);
    assert.deepEqual([titlesOf(store), stored()], [['Title of c2'], ['Title of c2']]);
    assert.equal(store.poll().listed, false);
  });

  it('has again what was restored meanwhile', async () => {
    const { disk, store, stored } = await withTwo();
    store.remove('c1');
    store.poll();
    disk.full = true;
    store.restore('c1');
    disk.full = false;
    assert.equal(store.poll().listed, true);
    assert.deepEqual([titlesOf(store), stored()], [stored(), ['Title of c1', 'Title of c2']]);
  });

  it('has a new title when the conversation could be written, also beside one that was deleted', async () => {
    const { disk, store, stored } = await withTwo();
    disk.full = true;
    store.remove('c1');
    store.put({ ...asked('c2'), title: 'Renamed', named: true });
    titlesOf(store);
    disk.full = false;
    mock.timers.tick(5000);
    assert.equal(store.poll().listed, true);
    assert.deepEqual([titlesOf(store), stored()], [['Renamed'], ['Renamed']]);
  });
});
