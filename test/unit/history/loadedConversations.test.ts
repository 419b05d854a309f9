import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import type { History } from '../../../src/history/history.ts';
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
    const disk = onFullDisk(open(folder), 'load', 'loadAny', 'removed');
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

  /**
   * A window with the conversation in memory, and another window that has renamed it and asked in it since. This one doesn't know that
   * yet, and `failing` fails in it while `disk.full`.
   */
  async function beginBehind(...failing: readonly (keyof History)[]) {
    const folder = await makeFolder();
    const there = storeOn(open(folder));
    there.put(asked, 'e1');
    const disk = onFullDisk(open(folder), ...failing);
    disk.full = false;
    const here = storeOn(disk.history, [], () => undefined);
    here.get('c1');
    const exchanges = [...asked.exchanges, exchange('e2', 'And?', [{ ...completeTurn(), id: 't2' }])];
    there.put({ ...asked, title: 'Renamed there', named: true, exchanges }, 'e2');
    const titleAndQuestions = (store = here) => {
      const { title, exchanges: shown } = store.get('c1') ?? assert.fail();
      return [title, ...shown.map(({ id }) => id)];
    };
    return { folder, disk, here, there, titleAndQuestions };
  }
  const READS = ['load', 'loadAny', 'revision', 'removed'] as const;
  const WRITES = ['remove', 'restore', 'putHeader', 'putExchange', 'putHead', 'finish'] as const;

  for (const [what, failing] of Object.entries({ read: READS, 'read or written': [...READS, ...WRITES] }))
    it(`keeps what another window has written when it can’t be ${what} while it is deleted and restored`, async () => {
      const { folder, disk, here, there, titleAndQuestions } = await beginBehind(...failing);
      disk.full = true;
      here.remove('c1');
      here.restore('c1');
      assert.deepEqual([titleAndQuestions(), here.isUnread('c1')], [['Title of c1', 'e1'], true]);
      assert.equal(here.latest('c1'), undefined, 'a change could replace what the other window has written');
      assert.deepEqual(
        here.unread().map(({ id }) => id),
        ['c1'],
      );
      disk.full = false;
      assert.deepEqual(here.poll().changed, ['c1']);
      here.poll();
      there.poll();
      for (const store of [here, there, storeOn(open(folder))])
        assert.deepEqual(titleAndQuestions(store), ['Renamed there', 'e1', 'e2']);
      assert.equal(here.latest('c1')?.exchanges.length, 2);
    });

  it('is as the database has it when it is restored while another conversation can’t be written', async () => {
    for (const isWritten of [false, true]) {
      const { folder, disk, here, titleAndQuestions } = await beginBehind(...WRITES);
      if (isWritten) here.remove('c1');
      disk.full = true;
      here.put(conversation('c2', [exchange('e3', 'Who?', [{ ...completeTurn(), id: 't3' }])]), 'e3');
      here.remove('c1');
      here.restore('c1');
      assert.deepEqual(titleAndQuestions(), ['Renamed there', 'e1', 'e2']);
      disk.full = false;
      here.poll();
      here.poll();
      here.dispose();
      const later = storeOn(open(folder));
      assert.deepEqual(titleAndQuestions(later), ['Renamed there', 'e1', 'e2']);
      assert.equal(later.get('c2')?.exchanges.length, 1);
    }
  });

  it('has its own changes that were not written, and those of the other window, when it is restored', async () => {
    for (const isDeletedThere of [false, true]) {
      const { folder, disk, here, there, titleAndQuestions } = await beginBehind('putHeader');
      disk.full = true;
      here.put({ ...asked, pinned: true });
      if (isDeletedThere) there.remove('c1');
      here.remove('c1');
      disk.full = false;
      const { restore } = disk.history;
      Object.assign(disk.history, { restore: isDeletedThere ? () => assert.fail('busy') : restore });
      here.restore('c1');
      Object.assign(disk.history, { restore });
      here.poll();
      const later = storeOn(open(folder));
      assert.deepEqual([titleAndQuestions(later)[0], later.get('c1')?.pinned], ['Renamed there', true]);
    }
  });

  it('is written when it turns out that the database doesn’t have what was restored meanwhile', async () => {
    const folder = await makeFolder();
    const real = open(folder);
    const disk = onFullDisk(real, 'load');
    const looking = onFullDisk(disk.history, 'removed');
    const setFull = (full: boolean) => Object.assign(disk, Object.assign(looking, { full }));
    setFull(false);
    const store = storeOn(looking.history, [], () => undefined);
    store.put(asked, 'e1');
    store.put(conversation('empty', []));
    for (const id of ['c1', 'empty']) store.remove(id);
    real.purge(Date.now() + 1);
    store.put(conversation('deleted there', [], { named: true }));
    store.put(conversation('deleted there', [], { pinned: true }));
    store.remove('deleted there');
    setFull(true);
    for (const id of ['c1', 'empty', 'deleted there']) {
      store.restore(id);
      assert.equal(store.get(id)?.id, id);
    }
    disk.full = false;
    real.remove('deleted there');
    store.poll();
    assert.deepEqual([store.get('c1')?.id, store.isUnread('c1')], ['c1', true], 'it may be deleted');
    setFull(false);
    store.poll();
    assert.equal(real.load('c1')?.exchanges[0]?.attempts[0]?.answer, 'Because.');
    assert.equal(real.isKnown(['empty']), false, 'nothing of it has to be kept');
    for (const id of ['c1', 'empty'])
      assert.deepEqual([store.latest(id)?.id, store.isUnread(id)], [id, false]);
    const gone = 'deleted there';
    assert.deepEqual(
      [store.get(gone), store.removed(gone)?.pinned, real.load(gone)],
      [undefined, true, undefined],
    );
  });

  it('can be changed when it is restored in a window whose database was locked from the start, so that nobody else has it', async () => {
    const real = open(await makeFolder());
    const disk = onFullDisk(
      { ...real, isOpen: () => !disk.full },
      'load',
      'loadAny',
      'removed',
      'restore',
      'remove',
    );
    const store = storeOn(disk.history, [], () => undefined);
    store.put(conversation('c1', []));
    store.remove('c1');
    store.restore('c1');
    assert.equal(store.latest('c1')?.id, 'c1');
    disk.full = false;
    store.poll();
    assert.equal(store.latest('c1')?.id, 'c1');
  });

  it('has the end of its turn that could not be written when it was deleted', async () => {
    const folder = await makeFolder();
    const disk = onFullDisk(open(folder), 'putEnd');
    const store = storeOn(disk.history, [], () => undefined);
    store.take('c1');
    store.put(withTurn(halfTurn()), 'e1');
    store.remove('c1');
    const ended = { ...halfTurn(), answer: 'Half an answer', outcome: 'stopped' as const };
    store.putEnd('c1', 'e1', ended);
    store.release('c1');
    store.restore('c1');
    const endOf = (one = store) => {
      const { answer, outcome } = one.get('c1')?.exchanges[0]?.attempts[0] ?? assert.fail();
      return [answer, outcome];
    };
    assert.deepEqual(endOf(), ['Half an answer', 'stopped']);
    disk.full = false;
    store.poll();
    store.dispose();
    assert.deepEqual(endOf(storeOn(open(folder))), ['Half an answer', 'stopped']);
  });

  it('is read and looked for once when it is deleted, and not at each look', async () => {
    const { disk, here, changeThere } = await begin();
    changeThere();
    here.poll();
    disk.full = true;
    here.get('c1');
    here.remove('c1');
    disk.full = false;
    let reads = 0;
    const removed = disk.history.removed;
    Object.assign(disk.history, {
      removed: (id: string) => {
        reads++;
        return removed(id);
      },
    });
    for (let looks = 0; looks < 3; looks++) here.poll();
    assert.equal(reads, 0);
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
