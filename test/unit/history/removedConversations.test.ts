/** Two windows on one database: deleted conversations. Each window has its own connection. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import type { ConversationStore } from '../../../src/history/conversationStore.ts';
import { findSqlite } from '../../../src/history/sqlite.ts';
import { completeTurn, FACTS } from '../conversation/turns.ts';
import { conversation, exchange, onFullDisk, open, openTwoWindows, storeOn } from './support.ts';

const asked = conversation('c1', [exchange('e1', 'Why?', [completeTurn()])]);

/** What a full disk refuses is expected to fail. */
const expected = () => undefined;

let folder: string;
let here: ConversationStore;
let there: ConversationStore;
async function prepare(): Promise<void> {
  ({ folder, here, there } = await openTwoWindows());
  here.put(asked, 'e1');
}

describe('A conversation that one of two windows deletes', () => {
  beforeEach(prepare);

  it('is deleted in the other one too, which says so, and which can restore it', () => {
    assert.equal(there.get('c1')?.title, 'Title of c1');
    here.remove('c1');
    assert.deepEqual(there.poll(), { listed: true, changed: ['c1'], removed: ['c1'], lost: [] });
    assert.equal(there.get('c1'), undefined);
    assert.equal(there.removed('c1')?.title, 'Title of c1');
    there.restore('c1');
    assert.equal(there.removed('c1'), undefined);
    assert.equal(there.get('c1')?.exchanges.length, 1);
    assert.deepEqual(here.poll(), { listed: true, changed: ['c1'], removed: [], lost: [] });
    assert.equal(here.get('c1')?.exchanges.length, 1);
  });

  it('is deleted in the window in which a turn runs', () => {
    there.get('c1');
    assert.equal(there.take('c1'), undefined);
    there.put(
      conversation('c1', [...asked.exchanges, exchange('e2', 'And?', [createTurn('t2', 1000, FACTS)])]),
      'e2',
    );
    here.remove('c1');
    assert.deepEqual(there.poll().removed, ['c1']);
    assert.equal(there.get('c1'), undefined);
    there.release('c1');
    here.restore('c1');
    // The turn ended with its window's reservation.
    assert.equal(here.get('c1')?.exchanges[1]?.attempts[0]?.outcome, 'interrupted');
  });

  it('is restored as it is in the database, when the other window restored and changed it before', () => {
    there.get('c1');
    here.remove('c1');
    there.poll();
    there.restore('c1');
    there.put({ ...asked, title: 'Renamed', named: true });
    here.restore('c1');
    assert.equal(here.get('c1')?.title, 'Renamed');
  });

  it('is not deleted when only the other window has it', () => {
    there.put(conversation('c2', []));
    here.putDraft('c1', 'A change');
    assert.deepEqual(there.poll().removed, []);
    assert.equal(there.get('c2')?.id, 'c2');
  });

  it('can be deleted and restored twice', () => {
    here.remove('c1');
    here.remove('c1');
    here.restore('c1');
    here.restore('c1');
    assert.equal(here.get('c1')?.exchanges.length, 1);
    assert.equal(here.list().length, 1);
  });

  it('is not waiting to be deleted when it is deleted again and that fails', () => {
    const disk = onFullDisk(open(folder), 'remove');
    disk.full = false;
    const store = storeOn(disk.history, [], expected);
    store.remove('c1');
    disk.full = true;
    store.remove('c1');
    assert.equal(store.trouble(), undefined);
    there.restore('c1');
    store.poll();
    disk.full = false;
    store.poll();
    assert.equal(there.latest('c1')?.id, 'c1');
  });

  it('is restored whole when it was purged meanwhile', () => {
    const history = open(folder);
    here.put(conversation('named', [], { named: true }));
    here.put(conversation('empty', []));
    const ids = ['c1', 'named', 'empty'];
    for (const id of ids) here.remove(id);
    history.purge(Date.now() + 1);
    for (const id of ids) here.restore(id);
    assert.equal(history.load('c1')?.exchanges[0]?.attempts[0]?.answer, 'Because.');
    assert.deepEqual([history.load('named')?.named, history.isKnown(['empty'])], [true, false]);
    assert.equal(here.get('empty')?.id, 'empty');
  });

  it('is purged with its images also when the question of another one can’t be read', () => {
    here.put(conversation('c2', [exchange('e2', 'How?', [])]), 'e2');
    const sqlite = findSqlite();
    assert.ok(sqlite);
    const db = new sqlite.DatabaseSync(join(folder, 'conversations.db'));
    for (const record of ['{', '{"images":["a.png"]}', '[]']) {
      db.prepare('UPDATE exchange SET question = ? WHERE id = ?').run(record, 'e2');
      db.exec(`INSERT INTO image VALUES ('unused', 'image/png', x'00')`);
      here.put(conversation('c3', [exchange('e3', 'Who?', [])]), 'e3');
      here.remove('c3');
      open(folder).purge(Date.now() + 1);
      assert.deepEqual(
        db
          .prepare('SELECT id FROM conversation UNION ALL SELECT hash FROM image')
          .all()
          .map(({ id }) => id),
        ['c1', 'c2'],
      );
    }
    db.close();
  });

  const ids = Array.from({ length: 25 }, (_, n) => `d${n}`);
  const removeAll = (store: ConversationStore) => {
    for (const id of ids) {
      const turn = { ...completeTurn(), id: `t of ${id}` };
      store.put(conversation(id, [exchange(`e of ${id}`, 'Why?', [turn])]), `e of ${id}`);
      store.remove(id);
    }
  };

  it('stays in memory only if it is one of the last 20, and is restored from the database otherwise', () => {
    const restored = () => {
      for (const id of ids) here.restore(id);
      return ids.filter((id) => here.get(id)?.exchanges[0]?.attempts[0]?.answer === 'Because.');
    };
    removeAll(here);
    assert.deepEqual(restored(), ids);
    removeAll(here);
    open(folder).purge(Date.now() + 1);
    assert.deepEqual(restored(), ids.slice(5));
  });

  it('stays in memory and deleted while that cannot be written', () => {
    const disk = onFullDisk(open(folder), 'remove');
    const store = storeOn(disk.history, [], expected);
    removeAll(store);
    assert.deepEqual(
      ids.filter((id) => store.get(id) !== undefined),
      [],
    );
    disk.full = false;
    store.dispose();
    assert.deepEqual(
      here.list().map(({ id }) => id),
      ['c1'],
    );
  });

  it('stays in memory while the end of its turn cannot be written', () => {
    const disk = onFullDisk(open(folder), 'rewrite', 'finish', 'putExchange');
    disk.full = false;
    const store = storeOn(disk.history, [], expected);
    const turn = createTurn('t of first', 1000, FACTS);
    const first = (of: Turn) => conversation('first', [exchange('e of first', 'Why?', [of])]);
    store.take('first');
    store.put(first(turn), 'e of first');
    disk.full = true;
    const later = { ...turn, answer: 'Half an answer' };
    store.progress(first(later), later);
    store.remove('first');
    store.putEnd('first', 'e of first', { ...later, outcome: 'stopped' });
    removeAll(store);
    disk.full = false;
    store.dispose();
    here.restore('first');
    assert.equal(here.get('first')?.exchanges[0]?.attempts[0]?.answer, 'Half an answer');
  });

  it('can still be restored after a reload', () => {
    here.remove('c1');
    here.dispose();
    const later = storeOn(open(folder));
    assert.equal(later.get('c1'), undefined);
    assert.equal(later.removed('c1')?.title, 'Title of c1');
    assert.deepEqual(later.removed('c1')?.exchanges, []);
    later.restore('c1');
    assert.equal(later.get('c1')?.exchanges.length, 1);
    assert.equal(later.removed('unknown'), undefined);
  });
});
