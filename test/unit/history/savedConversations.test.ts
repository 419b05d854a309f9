import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import { costOf } from '../../../src/conversation/usage/cost.ts';
import type { ConversationStore } from '../../../src/history/conversationStore.ts';
import type { StorageTrouble } from '../../../src/history/sqlite.ts';
import { answer, completeTurn, FACTS } from '../conversation/turns.ts';
import {
  conversation,
  exchange,
  halfTurn,
  makeFolder,
  onFullDisk,
  open,
  PRICES,
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

  for (const [errcode, trouble] of [
    [13, 'full'],
    [8, 'read-only'],
    // What SQLite says when the system mounts the disk read-only (EROFS), or an input or output fails.
    [778, 'failed'],
  ] as const) {
    it(`loses nothing of a turn, nor its cost, when the disk is ${trouble} from its middle on, and says so once`, async () => {
      const folder = await makeFolder();
      const disk = onFullDisk(
        open(folder),
        ...(['append', 'rewrite', 'finish', 'putHeader', 'putExchange', 'putHead', 'renew'] as const),
      );
      Object.assign(disk, { full: false, errcode });
      const troubles: (StorageTrouble | undefined)[] = [];
      const store = storeOn(disk.history, troubles);
      store.take('c1');
      store.put(withTurn(halfTurn()), 'e1');
      disk.full = true;
      const more = foldTurn(halfTurn(), { at: 10, event: answer('wer, and more.') });
      store.progress(withTurn(more), more);
      const ended = { ...completeTurn(more.answer), id: more.id, startedAt: more.startedAt };
      store.put(withTurn(ended), 'e1');
      store.put(conversation('c1', [exchange('e1', 'Why?', [ended]), exchange('e2', 'And?', [])]), 'e2');
      assert.deepEqual(troubles, [trouble]);
      const [answered] = store.get('c1')?.exchanges[0]?.attempts ?? [];
      assert.equal(answered?.answer, 'Half an answer, and more.');
      const cost = costOf(ended, PRICES);
      assert.ok(cost);
      assert.equal(store.costSince(0), cost, 'the daily cap counts it');
      disk.full = false;
      store.dispose();
      assert.deepEqual(troubles, [trouble, undefined]);
      const there = open(folder);
      const [stored, next] = there.load('c1')?.exchanges ?? [];
      assert.deepEqual([stored?.attempts[0]?.answer, next?.question.text], [ended.answer, 'And?']);
      assert.equal(there.costSince(0), cost);
    });
  }

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

  describe('late, after another window has changed it', () => {
    const one = withTurn(completeTurn());
    const second = exchange('e2', 'And?', [{ ...completeTurn(), id: 't2' }]);

    /** A window in which a pin could not be written, and another one. */
    async function begin(first = one) {
      const folder = await makeFolder();
      const disk = onFullDisk(open(folder), 'putHeader');
      disk.full = false;
      const [here, there] = [storeOn(disk.history), storeOn(open(folder))];
      here.put(first, 'e1');
      disk.full = true;
      here.put({ ...first, pinned: true });
      return { folder, disk, here, there };
    }

    it('has the question that the other one has asked at its end', async () => {
      const { folder, disk, here, there } = await begin();
      there.put({ ...one, exchanges: [...one.exchanges, second] }, 'e2');
      disk.full = false;
      here.dispose();
      const stored = storeOn(open(folder)).get('c1') ?? assert.fail();
      assert.deepEqual([stored.exchanges.map(({ id }) => id), stored.branches], [['e1', 'e2'], []]);
      assert.equal(stored.pinned, true);
    });

    it('has the attempt that the other one has added, and the image that it has left out', async () => {
      const image = { name: 'a.png', url: 'ms://a' };
      const [asked] = one.exchanges;
      assert.ok(asked);
      const shown = { ...asked, question: { ...asked.question, images: [image] } };
      const { folder, disk, here, there } = await begin({ ...one, exchanges: [shown] });
      const again = {
        ...shown,
        question: { ...shown.question, images: [{ ...image, omitted: true as const }] },
        attempts: [...shown.attempts, { ...completeTurn('Again.'), id: 't2' }],
        shown: 1,
      };
      there.put({ ...one, exchanges: [again] }, 'e1');
      disk.full = false;
      here.dispose();
      const stored = storeOn(open(folder)).get('c1') ?? assert.fail();
      assert.deepEqual([stored.pinned, stored.exchanges], [true, [again]]);
    });

    it('has the end of its turn when it was deleted meanwhile', async () => {
      const { folder, disk, here } = await begin(withTurn(halfTurn()));
      here.remove('c1');
      const ended = { ...completeTurn(), id: halfTurn().id };
      here.putEnd('c1', 'e1', ended);
      disk.full = false;
      here.dispose();
      const later = storeOn(open(folder));
      later.restore('c1');
      const { pinned, exchanges } = later.get('c1') ?? assert.fail();
      assert.deepEqual([pinned, exchanges[0]?.attempts[0]?.outcome], [true, 'complete']);
    });

    it('has the title that the other one has given it, also with the next change', async () => {
      const { folder, disk, here, there } = await begin();
      there.put({ ...one, title: 'Renamed', named: true });
      disk.full = false;
      const now = here.latest('c1') ?? assert.fail();
      here.put({ ...now, exchanges: [...now.exchanges, second] }, 'e2');
      for (const store of [storeOn(open(folder)), here]) {
        const { title, pinned, exchanges } = store.get('c1') ?? assert.fail();
        assert.deepEqual([title, pinned, exchanges.length], ['Renamed', true, 2]);
      }
    });
  });

  describe('without a question', () => {
    const empty = conversation('c1', [], { title: 'New conversation' });
    const named = { ...empty, title: 'Plan for tomorrow', named: true };
    const rowsOf = (store: ConversationStore) => store.list().map(({ title, pinned }) => [title, pinned]);

    it('keeps a title and a pin, which the list has at once, also after a reload and in another window', async () => {
      const folder = await makeFolder();
      const [here, there] = [storeOn(open(folder)), storeOn(open(folder))];
      here.put(empty);
      here.putDraft('c1', 'A draft for tomorrow');
      there.poll();
      assert.equal(there.get('c1')?.title, 'New conversation');
      here.put(named);
      assert.deepEqual(rowsOf(here), [['Plan for tomorrow', false]]);
      here.put({ ...named, pinned: true });
      assert.deepEqual(rowsOf(here), [['Plan for tomorrow', true]]);
      assert.deepEqual(there.poll().changed, ['c1']);
      assert.deepEqual(rowsOf(there), [['Plan for tomorrow', true]]);
      assert.equal(there.latest('c1')?.title, 'Plan for tomorrow');
      here.dispose();
      const next = storeOn(open(folder));
      assert.deepEqual([rowsOf(next), next.get('c1')?.named], [[['Plan for tomorrow', true]], true]);
      assert.equal(next.draft('c1'), 'A draft for tomorrow');
    });

    it('is in the list once the user has given it a title or a pin, or has written something', async () => {
      const folder = await makeFolder();
      const store = storeOn(open(folder));
      store.put(empty);
      assert.deepEqual(rowsOf(store), []);
      store.put(named);
      assert.deepEqual(rowsOf(store), [['Plan for tomorrow', false]]);
      store.put({ ...empty, id: 'c2' });
      store.put({ ...empty, id: 'c2', pinned: true });
      assert.deepEqual(rowsOf(store).toSorted(), [
        ['New conversation', true],
        ['Plan for tomorrow', false],
      ]);
      store.put({ ...empty, id: 'c2' });
      assert.deepEqual(rowsOf(store), [['Plan for tomorrow', false]]);
      store.remove('c1');
      assert.deepEqual(rowsOf(store), []);
      assert.deepEqual(
        store.listRemoved().map(({ id, questions }) => [id, questions]),
        [['c1', 0]],
      );
      store.restore('c1');
      assert.deepEqual(rowsOf(storeOn(open(folder))), [['Plan for tomorrow', false]]);
    });

    it('is in the list with a title that is the one that it had', async () => {
      const folder = await makeFolder();
      const [here, there] = [storeOn(open(folder)), storeOn(open(folder))];
      here.put(empty);
      here.putDraft('c1', 'A draft');
      here.putDraft('c1', '');
      assert.deepEqual([rowsOf(here), rowsOf(there)], [[], []]);
      here.put({ ...empty, named: true });
      there.poll();
      assert.deepEqual([rowsOf(here), rowsOf(there)], Array(2).fill([['New conversation', false]]));
    });

    it('keeps a title that a full disk refused, beside the question that another window asks meanwhile', async () => {
      const folder = await makeFolder();
      const disk = onFullDisk(open(folder), 'putHeader');
      disk.full = false;
      const troubles: (StorageTrouble | undefined)[] = [];
      const [here, there] = [storeOn(disk.history, troubles), storeOn(open(folder))];
      here.put(empty);
      here.putDraft('c1', 'A draft');
      disk.full = true;
      here.put(named);
      assert.deepEqual(troubles, ['full']);
      there.put({ ...empty, exchanges: [exchange('e1', 'Why?', [completeTurn()])] }, 'e1');
      disk.full = false;
      here.dispose();
      const stored = storeOn(open(folder)).get('c1');
      assert.deepEqual([stored?.title, stored?.exchanges.length], ['Plan for tomorrow', 1]);
    });

    it('stays deleted when it is renamed in a window that doesn’t know that yet', async () => {
      const folder = await makeFolder();
      const [here, there] = [storeOn(open(folder)), storeOn(open(folder))];
      here.put(empty);
      here.putDraft('c1', 'A draft');
      there.remove('c1');
      here.put(named);
      assert.equal(storeOn(open(folder)).get('c1'), undefined);
    });
  });
});
