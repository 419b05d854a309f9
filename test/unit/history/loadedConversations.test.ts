import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
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

describe('A conversation that can’t be read for a moment', () => {
  const asked = withTurn(completeTurn());
  const QUIET = { listed: false, changed: [], removed: [], lost: [] };

  /** A window with the conversation in memory, in whose database it can't be read while `disk.full`, and another window. */
  async function begin() {
    const folder = await makeFolder();
    const there = storeOn(open(folder));
    there.put(asked, 'e1');
    const disk = onFullDisk(open(folder), 'load', 'removed');
    const here = storeOn(disk.history, [], () => undefined);
    disk.full = false;
    here.get('c1');
    const changeThere = () => there.put({ ...asked, title: 'Renamed there', named: true });
    return { folder, disk, here, there, changeThere };
  }

  it('stays as it is known when another window has changed it, and is read at the next look', async () => {
    const { disk, here, changeThere } = await begin();
    changeThere();
    assert.deepEqual(here.poll().changed, ['c1']);
    disk.full = true;
    assert.deepEqual([here.get('c1')?.title, here.isUnread('c1')], ['Title of c1', true]);
    assert.deepEqual(here.poll(), QUIET);
    disk.full = false;
    assert.deepEqual(here.poll(), { ...QUIET, listed: true, changed: ['c1'] });
    assert.deepEqual([here.get('c1')?.title, here.isUnread('c1')], ['Renamed there', false]);
    assert.deepEqual(here.poll(), QUIET);
  });

  it('is not changed, which could replace what the other window has written', async () => {
    const { disk, here, changeThere } = await begin();
    changeThere();
    here.poll();
    disk.full = true;
    assert.equal(here.latest('c1'), undefined);
  });

  it('is deleted, if the user deletes it, as soon as that is possible', async () => {
    const { folder, disk } = await begin();
    const full = onFullDisk(disk.history, 'remove');
    const store = storeOn(full.history, [], () => undefined);
    store.remove('c1');
    full.full = false;
    store.poll();
    assert.equal(storeOn(open(folder)).get('c1'), undefined);
  });

  it('is gone when another window has deleted it', async () => {
    const { disk, here, there, changeThere } = await begin();
    changeThere();
    here.poll();
    disk.full = true;
    here.get('c1');
    there.remove('c1');
    disk.full = false;
    assert.deepEqual(here.poll().changed, ['c1']);
    assert.deepEqual([here.get('c1'), here.removed('c1')?.title], [undefined, 'Renamed there']);
  });

  it('is not one that isn’t there, and is known as long as it can’t be read or looked for', async () => {
    const folder = await makeFolder();
    const disk = onFullDisk(open(folder), 'load');
    const deleted = onFullDisk(disk.history, 'removed');
    const store = storeOn(deleted.history, [], () => undefined);
    for (const [one, other] of [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ] as const) {
      Object.assign(disk, { full: one });
      Object.assign(deleted, { full: other });
      assert.deepEqual([store.get('c1'), store.removed('c1')], [undefined, undefined]);
      assert.equal(store.isUnread('c1'), one || other);
    }
  });

  it('is known when it is in memory, and when it is deleted here', async () => {
    const { disk } = await begin();
    const all = onFullDisk(disk.history, 'revision');
    const setFull = (full: boolean) => Object.assign(disk, Object.assign(all, { full }));
    setFull(false);
    const store = storeOn(all.history, [], () => undefined);
    store.get('c1');
    setFull(true);
    assert.equal(store.latest('c1')?.id, 'c1');
    assert.equal(store.isUnread('c1'), false);
    store.remove('c1');
    assert.equal(store.isUnread('c1'), false);
    setFull(false);
    assert.deepEqual(store.poll(), QUIET);
    store.restore('c1');
    assert.deepEqual([store.isUnread('c1'), store.get('c1')?.id], [false, 'c1']);
  });

  it('keeps what another window has written when it is deleted and restored meanwhile', async () => {
    for (const looks of [false, true]) {
      const { folder, disk, changeThere } = await begin();
      const all = onFullDisk(disk.history, 'revision', 'remove', 'restore');
      const setFull = (full: boolean) => Object.assign(disk, Object.assign(all, { full }));
      setFull(false);
      const store = storeOn(all.history, [], () => undefined);
      store.get('c1');
      changeThere();
      store.poll();
      setFull(true);
      store.remove('c1');
      if (looks) store.poll();
      store.restore('c1');
      assert.equal(store.get('c1')?.title, 'Title of c1');
      setFull(false);
      store.poll();
      assert.deepEqual(
        [store.get('c1')?.title, storeOn(open(folder)).get('c1')?.title],
        ['Renamed there', 'Renamed there'],
      );
    }
  });

  it('is one of the last 20, however many could not be read', async () => {
    const folder = await makeFolder();
    const first = storeOn(open(folder));
    const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);
    for (const id of ids)
      first.put(
        conversation(id, [exchange(`e-${id}`, 'Why?', [{ ...completeTurn(), id: `t-${id}` }])]),
        `e-${id}`,
      );
    const disk = onFullDisk(open(folder), 'load');
    const store = storeOn(disk.history, [], () => undefined);
    for (const id of ids) store.get(id);
    disk.full = false;
    assert.deepEqual(store.poll().changed, ids.slice(10));
  });
});
