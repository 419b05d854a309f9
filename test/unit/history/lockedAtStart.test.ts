/** A window that starts while another program has the database locked, and opens it later. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ConversationStore } from '../../../src/history/conversationStore.ts';
import type { SetAsideReport } from '../../../src/history/database.ts';
import { type History, openHistory } from '../../../src/history/history.ts';
import { findSqlite } from '../../../src/history/sqlite.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, exchange, halfTurn, makeFolder, onFullDisk, open, storeOn } from './support.ts';

const asked = (id: string) =>
  conversation(id, [exchange(`e-${id}`, 'Why?', [{ ...completeTurn(), id: `t-${id}` }])]);
const queued = { id: 'q1', question: { text: 'waits', images: [], origin: undefined } };
const image = { name: 'a.png', url: 'data:image/png;base64,AAAA' };
const idsOf = (store: ConversationStore) =>
  store
    .list()
    .map(({ id }) => id)
    .toSorted();
/** What a locked database refuses is expected to fail. */
const expected = () => undefined;

describe('A database that another program has locked when the window starts', () => {
  let folder: string;
  let unlock: () => void;
  const histories: History[] = [];

  /** Locks it as a program does that wants it for itself. */
  function lock(): void {
    const db = new (findSqlite() ?? assert.fail()).DatabaseSync(join(folder, 'conversations.db'));
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS mine (x); COMMIT');
    let isLocked = true;
    unlock = () => {
      if (isLocked) db.close();
      isLocked = false;
    };
  }
  function start(more: { onOpened?(): void; onSetAside?(report: SetAsideReport): void } = {}): History {
    const opened = openHistory({
      folder,
      place: 'a window',
      waitMs: 20,
      onSetAside: () => assert.fail('set aside'),
      onWrong: assert.fail,
      ...more,
    });
    assert.ok(opened.ok);
    histories.push(opened.history);
    return opened.history;
  }
  const startStore = (history = start()) => storeOn(history, [], expected);
  /** What a window sees that opens it afterwards. */
  const later = (): ConversationStore => storeOn(open(folder));

  beforeEach(async () => {
    folder = await makeFolder();
    const earlier = storeOn(open(folder));
    earlier.put(asked('earlier'), 'e-earlier');
    earlier.putDraft('earlier', 'Draft of the earlier one');
    earlier.putUnsent('earlier', { images: [image] });
    earlier.dispose();
    lock();
  });
  afterEach(() => {
    unlock();
    for (const history of histories.splice(0)) history.close();
  });

  it('is opened when it is free, with all that was asked, typed, queued, and attached meanwhile, once', () => {
    let opened = 0;
    const history = start({ onOpened: () => opened++ });
    const store = startStore(history);
    assert.equal(history.isOpen(), false);
    assert.deepEqual(store.list(), []);
    store.put(asked('c1'), 'e-c1');
    store.putDraft('c1', 'A draft');
    store.enqueue('c1', queued);
    store.putUnsent('c1', { images: [image] });
    store.put({ ...asked('c1'), title: 'Renamed', named: true });
    store.put(asked('c2'), 'e-c2');
    store.remove('c2');
    store.poll();
    assert.deepEqual([history.isOpen(), store.trouble()], [false, 'busy']);

    unlock();
    assert.equal(store.poll().listed, true);
    assert.deepEqual([history.isOpen(), opened], [true, 1]);
    assert.deepEqual(idsOf(store), ['c1', 'earlier']);
    assert.equal(store.get('earlier')?.exchanges.length, 1);
    for (let n = 0; n < 3; n++) store.poll();
    store.dispose();

    const found = later();
    assert.deepEqual(idsOf(found), ['c1', 'earlier']);
    const c1 = found.get('c1');
    assert.deepEqual([c1?.title, c1?.exchanges.length, c1?.exchanges[0]?.attempts.length], ['Renamed', 1, 1]);
    assert.deepEqual(
      [found.draft('c1'), found.queue('c1'), found.unsent('c1').images],
      ['A draft', [queued], [image]],
    );
    assert.deepEqual(
      found.listRemoved().map(({ id }) => id),
      ['c2'],
    );
    assert.equal(open(folder).outcomes(0)[0]?.turns, 3, 'each turn is counted once');
  });

  it('gets what is in memory as soon as it is free', () => {
    const store = startStore();
    store.put(asked('c1'), 'e-c1');
    unlock();
    store.poll();
    assert.deepEqual([idsOf(later()), store.trouble()], [['c1', 'earlier'], undefined]);
  });

  it('gets a file once that was imported twice', () => {
    const store = startStore();
    let n = 0;
    const options = { createdAt: 5000, newId: () => `new-${++n}` };
    const first = store.putImported(asked('c1'), options);
    assert.deepEqual(store.putImported(asked('c1'), options), { id: first.id, isNew: false });
    // Another file of the same conversation, and one that was deleted meanwhile.
    const second = store.putImported({ ...asked('c1'), title: 'Renamed' }, options);
    store.remove(second.id);
    const third = store.putImported({ ...asked('c1'), title: 'Renamed' }, options);
    assert.deepEqual([second.isNew, third.isNew], [true, true]);
    unlock();
    store.poll();
    assert.deepEqual(idsOf(later()), ['earlier', first.id, third.id].toSorted());
  });

  it('keeps what is stored of a conversation that was looked for meanwhile', () => {
    const store = startStore();
    assert.equal(store.get('earlier'), undefined);
    assert.deepEqual([store.draft('earlier'), store.unsent('earlier').images], ['', []]);
    unlock();
    store.poll();
    assert.deepEqual(
      [store.draft('earlier'), store.unsent('earlier').images],
      ['Draft of the earlier one', [image]],
    );
    store.dispose();
    const found = later();
    assert.deepEqual(
      [found.draft('earlier'), found.unsent('earlier').images],
      ['Draft of the earlier one', [image]],
    );
  });

  it('has the turn that has run meanwhile and runs on, and no other window takes it for left', () => {
    const store = startStore();
    const running = conversation('c1', [exchange('e1', 'Why?', [halfTurn()])]);
    assert.equal(store.take('c1'), undefined);
    store.put(running, 'e1');
    store.progress(running, halfTurn());
    unlock();
    store.poll();
    store.put(running, 'e1');
    const there = later();
    assert.equal(there.holder('c1')?.place, 'a window');
    assert.equal(there.get('c1')?.exchanges[0]?.attempts[0]?.outcome, undefined);
    const ended = conversation('c1', [exchange('e1', 'Why?', [{ ...completeTurn(), id: 't1' }])]);
    store.put(ended, 'e1');
    store.release('c1');
    there.poll();
    assert.equal(there.get('c1')?.exchanges[0]?.attempts[0]?.outcome, 'complete');
    assert.equal(open(folder).outcomes(0).length, 1);
  });

  it('gets what is in memory also when it is free only when the window closes', () => {
    const store = startStore();
    store.put(asked('c1'), 'e-c1');
    unlock();
    store.dispose();
    assert.deepEqual(idsOf(later()), ['c1', 'earlier']);
  });

  it('gets what two windows had in memory, in any order', () => {
    const windows = [startStore(), startStore()];
    for (const [n, store] of windows.entries()) store.put(asked(`c${n}`), `e-c${n}`);
    unlock();
    for (const store of windows.toReversed()) store.poll();
    for (const store of windows) store.dispose();
    assert.deepEqual(idsOf(later()), ['c0', 'c1', 'earlier']);
  });

  it('is closed without an error while it is locked', () => {
    const history = start();
    storeOn(history, [], expected).dispose();
    assert.equal(history.isOpen(), false);
  });

  it('is open also when telling that an earlier one was set aside fails', () => {
    let opened = 0;
    const history = start({
      onOpened: () => opened++,
      onSetAside() {
        throw new Error('can’t be shown');
      },
    });
    const store = startStore(history);
    unlock();
    const db = new (findSqlite() ?? assert.fail()).DatabaseSync(join(folder, 'conversations.db'));
    db.exec('PRAGMA user_version = 99');
    db.close();
    store.poll();
    assert.deepEqual([history.isOpen(), opened], [true, 1]);
    store.poll();
    assert.equal(opened, 1);
    assert.deepEqual(idsOf(store), ['earlier']);
  });

  it('is set aside, and what it has is copied, when it is free and a later version has written it', () => {
    const reports: SetAsideReport[] = [];
    const store = startStore(start({ onSetAside: (report) => reports.push(report) }));
    store.put(asked('c1'), 'e-c1');
    unlock();
    const db = new (findSqlite() ?? assert.fail()).DatabaseSync(join(folder, 'conversations.db'));
    db.exec('PRAGMA user_version = 99');
    db.close();
    store.poll();
    assert.deepEqual(
      reports.map(({ why }) => why),
      ['too-new'],
    );
    store.dispose();
    assert.deepEqual(idsOf(later()), ['c1', 'earlier']);
  });
});

describe('A database that can’t be read for a while and is then another one', () => {
  it('keeps what is attached in a conversation that was looked at meanwhile', async () => {
    const folder = await makeFolder();
    const real = open(folder);
    const before = storeOn(real);
    before.put(asked('c1'), 'e-c1');
    before.putUnsent('c1', { images: [image], preset: 'Review' });
    const disk = onFullDisk(real, 'unsent', 'choices');
    let version = '0/1';
    const store = storeOn({ ...disk.history, version: () => version }, [], expected);
    assert.deepEqual([store.unsent('c1').images, store.choices('c1').preset], [[], undefined]);
    disk.full = false;
    version = '1/1';
    store.poll();
    assert.deepEqual([store.unsent('c1').images, store.choices('c1').preset], [[image], 'Review']);
  });
});
