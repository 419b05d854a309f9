/** Two windows on one database: the queue, the drafts, and deleted conversations. Each window has its own connection. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, it } from 'mocha';
import { createTurn } from '../../../src/chat/fold.ts';
import type { Turn } from '../../../src/chat/turn.ts';
import { type ConversationStore, createConversationStore } from '../../../src/history/conversationStore.ts';
import type { History } from '../../../src/history/history.ts';
import { completeTurn, FACTS } from '../chat/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, PRICES } from './support.ts';

const asked = conversation('c1', [exchange('e1', 'Why?', [completeTurn()])]);
const queued = (id: string) => ({ id, question: { text: `Text of ${id}`, images: [], origin: undefined } });
const idsOf = (store: ConversationStore) => store.queue('c1').map(({ id }) => id);

function storeOn(history: History | undefined): ConversationStore {
  return createConversationStore({
    history,
    prices: () => PRICES,
    onTrouble: () => undefined,
    onFailure: () => undefined,
  });
}

let folder: string;
let here: ConversationStore;
let there: ConversationStore;
beforeEach(async () => {
  folder = await makeFolder();
  here = storeOn(open(folder));
  there = storeOn(open(folder));
  here.put(asked, 'e1');
});

describe('A queued question in two windows', () => {
  it('is taken by one of them only', () => {
    here.enqueue('c1', queued('q1'));
    // Both windows show it.
    assert.deepEqual([idsOf(here), idsOf(there)], [['q1'], ['q1']]);
    assert.equal(here.dequeue('c1', 'q1'), true);
    assert.equal(there.dequeue('c1', 'q1'), false);
    assert.deepEqual([idsOf(here), idsOf(there)], [[], []]);
  });

  it('is taken by one connection only', () => {
    const connections = [open(folder), open(folder)];
    connections[0]?.changeQueue('c1', () => [queued('q1'), queued('q2')]);
    const takes = connections.map((connection) => {
      let found = false;
      connection.changeQueue('c1', (queue) => {
        found = queue.some(({ id }) => id === 'q1');
        return queue.filter(({ id }) => id !== 'q1');
      });
      return found;
    });
    assert.deepEqual(takes, [true, false]);
    assert.deepEqual(
      connections.map((connection) => connection.queue('c1').map(({ id }) => id)),
      [['q2'], ['q2']],
    );
  });

  it('is taken once by two processes that send the whole queue', async function () {
    this.timeout(60_000);
    const all = Array.from({ length: 200 }, (_, n) => `q${n}`);
    open(folder).changeQueue('c1', () => all.map(queued));
    const script = fileURLToPath(new URL('../../support/takingWindow.ts', import.meta.url));
    const run = promisify(execFile);
    const args = ['--disable-warning=ExperimentalWarning', script, folder, 'c1'];
    const windows = await Promise.all([1, 2].map(() => run(process.execPath, args)));
    const taken = windows.flatMap(({ stdout }) => JSON.parse(stdout) as string[]);
    assert.deepEqual(taken.toSorted(), all.toSorted());
  });

  it('stays when the other window adds one at the same time', () => {
    assert.deepEqual([idsOf(here), idsOf(there)], [[], []]);
    here.enqueue('c1', queued('q1'));
    there.enqueue('c1', queued('q2'));
    assert.deepEqual(idsOf(there), ['q1', 'q2']);
    assert.deepEqual(idsOf(here), ['q1']);
    here.poll();
    assert.deepEqual(idsOf(here), ['q1', 'q2']);
  });

  it('is removed from the queue of both', () => {
    here.enqueue('c1', queued('q1'));
    there.enqueue('c1', queued('q2'));
    there.clearQueue('c1');
    here.poll();
    assert.deepEqual([idsOf(here), idsOf(there)], [[], []]);
  });

  it('is kept in memory while it cannot be written, and is written with the next one', () => {
    const disk = onFullDisk(open(folder), 'changeQueue');
    const store = storeOn(disk.history);
    store.enqueue('c1', queued('q1'));
    there.putDraft('c1', 'A change of the other window');
    store.poll();
    assert.deepEqual(idsOf(store), ['q1']);
    disk.full = false;
    store.enqueue('c1', queued('q2'));
    there.poll();
    assert.deepEqual(idsOf(there), ['q1', 'q2']);
  });

  it('is written when the window next looks for changes, if it could not be written before', () => {
    const disk = onFullDisk(open(folder), 'changeQueue');
    const store = storeOn(disk.history);
    store.enqueue('c1', queued('q1'));
    disk.full = false;
    store.poll();
    assert.deepEqual(idsOf(there), ['q1']);
  });

  it('is written when the window closes, if it could not be written before', () => {
    const disk = onFullDisk(open(folder), 'changeQueue');
    const store = storeOn(disk.history);
    here.enqueue('c1', queued('q1'));
    // It is sent from memory, and must not be sent again after a reload.
    assert.equal(store.dequeue('c1', 'q1'), true);
    disk.full = false;
    store.dispose();
    assert.deepEqual(idsOf(there), []);
  });

  it('is not there anymore once it was asked, when the window is killed before it is taken from the queue', () => {
    const real = open(folder);
    const store = storeOn({
      ...real,
      changeQueue() {
        throw Object.assign(new Error('busy'), { errcode: 5 });
      },
    });
    here.enqueue('c1', queued('q1'));
    here.enqueue('c1', queued('q2'));
    store.get('c1');
    assert.equal(store.dequeue('c1', 'q1'), true);
    store.put(conversation('c1', [...asked.exchanges, exchange('q1', 'Text of q1', [])]), 'q1');
    // The window is killed here: nothing more of it is written.
    const later = storeOn(open(folder));
    assert.deepEqual(idsOf(later), ['q2']);
    assert.equal(later.dequeue('c1', 'q1'), false);
    assert.deepEqual(idsOf(storeOn(open(folder))), ['q2']);
  });

  it('is kept for a conversation that has no question yet', () => {
    here.put(conversation('c2', []));
    here.enqueue('c2', queued('q1'));
    assert.equal(there.queue('c2').length, 1);
  });

  it('is kept in memory without a database', () => {
    const store = storeOn(undefined);
    store.put(asked);
    store.enqueue('c1', queued('q1'));
    store.enqueue('c1', queued('q2'));
    assert.equal(store.dequeue('c1', 'q1'), true);
    assert.equal(store.dequeue('c1', 'q1'), false);
    assert.deepEqual(idsOf(store), ['q2']);
  });
});

describe('A draft in two windows', () => {
  it('is the same in both', () => {
    assert.deepEqual([here.draft('c1'), there.draft('c1')], ['', '']);
    here.putDraft('c1', 'Half a thought');
    there.poll();
    assert.equal(there.draft('c1'), 'Half a thought');
    there.putDraft('c1', '');
    here.poll();
    assert.equal(here.draft('c1'), '');
  });

  it('is kept by a deleted conversation', () => {
    here.remove('c1');
    here.putDraft('c1', 'Typed after it was deleted');
    assert.equal(here.draft('c1'), 'Typed after it was deleted');
    here.restore('c1');
    there.poll();
    assert.equal(there.draft('c1'), 'Typed after it was deleted');
  });
});

describe('A conversation that one of two windows deletes', () => {
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

  it('is restored whole when it was purged meanwhile', () => {
    const history = open(folder);
    here.remove('c1');
    history.purge(Date.now() + 1);
    here.restore('c1');
    assert.equal(history.load('c1')?.exchanges[0]?.attempts[0]?.answer, 'Because.');
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
    const store = storeOn(disk.history);
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
    const store = storeOn(disk.history);
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

describe('What is attached in two windows', () => {
  const image = (name: string) => ({ name, url: `ms://${name}` });
  const namesIn = (store: ConversationStore) => store.unsent('c1').images.map(({ name }) => name);
  const attach = (store: ConversationStore, ...names: readonly string[]) =>
    store.putUnsent('c1', { images: names.map(image) });

  it('is kept from both of them, without what one has removed', () => {
    attach(here, 'old');
    // Both windows have opened the chat.
    assert.deepEqual([namesIn(here), namesIn(there)], [['old'], ['old']]);
    attach(here, 'old', 'a');
    attach(there, 'old', 'b');
    assert.deepEqual(namesIn(storeOn(open(folder))), ['old', 'a', 'b']);
    attach(here, 'a');
    attach(there, 'old', 'b', 'c');
    assert.deepEqual(namesIn(storeOn(open(folder))), ['a', 'b', 'c']);
    attach(there);
    assert.deepEqual(namesIn(storeOn(open(folder))), ['a']);
  });

  it('is written when there is space again, also at the end, and after the other window has written', () => {
    for (const [name, end] of [
      ['a', 'poll'],
      ['b', 'dispose'],
    ] as const) {
      const disk = onFullDisk(open(folder), 'putUnsent');
      const limited = storeOn(disk.history);
      limited.putUnsent('c1', { images: [...limited.unsent('c1').images, image(name)] });
      assert.ok(namesIn(limited).includes(name), 'it stays in the window');
      attach(there, ...namesIn(there), `${name} there`);
      disk.full = false;
      limited[end]();
      assert.ok(namesIn(storeOn(open(folder))).includes(name), name);
    }
    assert.deepEqual(namesIn(storeOn(open(folder))).toSorted(), ['a', 'a there', 'b', 'b there']);
  });
});
