import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { createTurn, foldTurn } from '../../../src/chat/fold.ts';
import type { Conversation, Turn } from '../../../src/chat/turn.ts';
import { type ConversationStore, createConversationStore } from '../../../src/history/conversationStore.ts';
import type { History } from '../../../src/history/history.ts';
import type { StorageTrouble } from '../../../src/history/sqlite.ts';
import { answer, completeTurn, FACTS, reasoning } from '../chat/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, PRICES } from './support.ts';

function storeOn(
  history: History | undefined,
  troubles: (StorageTrouble | undefined)[] = [],
  onFailure: (what: string, error: unknown) => void = assert.fail,
): ConversationStore {
  return createConversationStore({
    history,
    prices: () => PRICES,
    onTrouble: (trouble) => troubles.push(trouble),
    onFailure,
  });
}

const running = (): Turn =>
  [reasoning('Thinking.'), answer('Half an ans')].reduce<Turn>(
    (turn, event, i) => foldTurn(turn, { at: i + 1, event }),
    createTurn('t1', 1000, FACTS),
  );
const withTurn = (turn: Turn): Conversation => conversation('c1', [exchange('e1', 'Why?', [turn])]);

describe('The conversation store', () => {
  it('shows a turn as interrupted, with all received text, when its window no longer runs', async () => {
    const folder = await makeFolder();
    const first = storeOn(open(folder));
    first.take('c1');
    first.put(withTurn(createTurn('t1', 1000, FACTS)), 'e1');
    first.progress(withTurn(running()), running());
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
    first.put(withTurn(running()), 'e1');
    first.dispose();
    for (const time of ['at once', 'in the next window']) {
      const store = storeOn(open(folder));
      const turn = store.get('c1')?.exchanges[0]?.attempts[0];
      assert.equal(turn?.outcome, 'interrupted', time);
      assert.equal(turn?.windowClosed, true, time);
      store.dispose();
    }
  });

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
    store.progress(withTurn(running()), running());
    store.remove('c1');
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(renewals, 0);
    real.restore('c1');
    assert.equal(real.load('c1')?.exchanges[0]?.attempts[0]?.answer, 'Half an ans');
    store.dispose();
    assert.equal(renewals, 0);
  });

  it('does not change a turn that runs in another window, and reports where it runs', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder, [], 'project one'));
    here.take('c1');
    here.put(withTurn(createTurn('t1', 1000, FACTS)), 'e1');
    const there = storeOn(open(folder, [], 'project two'));
    assert.equal(there.get('c1')?.exchanges[0]?.attempts[0]?.outcome, undefined);
    assert.equal(there.take('c1')?.place, 'project one');
    here.dispose();
  });

  it('gives a conversation that is reserved here as another window left it', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    assert.equal(here.take('c1'), undefined);
    const there = storeOn(open(folder));
    const more = [exchange('e1', 'Why?', [completeTurn()]), exchange('e2', 'And?', [])];
    there.put(conversation('c1', more), 'e2');
    here.put({ ...(here.latest('c1') ?? assert.fail()), title: 'Renamed here', named: true });
    there.put({ ...(there.latest('c1') ?? assert.fail()), pinned: true });
    const { exchanges, title, pinned } = here.latest('c1') ?? assert.fail();
    assert.deepEqual([exchanges.length, title, pinned], [2, 'Renamed here', true]);
    assert.equal(here.renew('c1'), undefined);
    there.dispose();
    here.dispose();
  });

  it('gives a conversation as another window left it also when that was just before it was reserved', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    const there = storeOn(open(folder));
    const more = [exchange('e1', 'Why?', [completeTurn()]), exchange('e2', 'And?', [])];
    there.put(conversation('c1', more), 'e2');
    assert.equal(here.take('c1'), undefined);
    assert.equal(here.latest('c1')?.exchanges.length, 2);
    there.dispose();
    here.dispose();
  });

  it('does not reserve a conversation whose other window no longer tells where it is', async () => {
    const store = storeOn({ ...open(await makeFolder()), take: () => false, holder: () => undefined });
    store.put(withTurn(completeTurn()), 'e1');
    assert.deepEqual(store.take('c1'), { conversationId: 'c1', place: '' });
    assert.deepEqual(store.renew('c1'), { conversationId: 'c1', place: '' });
  });

  it('does not renew a conversation that runs in another window now', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    here.take('c1');
    here.release('c1');
    const there = storeOn(open(folder, [], 'project two'));
    there.take('c1');
    assert.equal(here.renew('c1')?.place, 'project two');
    there.dispose();
    here.dispose();
  });

  it('sees a turn of another window also when it cannot write its own lease', async () => {
    const folder = await makeFolder();
    const there = storeOn(open(folder, [], 'project two'));
    there.put(withTurn(completeTurn()), 'e1');
    there.take('c1');
    const disk = onFullDisk(open(folder), 'take');
    const here = storeOn(disk.history, [], () => undefined);
    assert.equal(here.take('c1')?.place, 'project two');
    there.release('c1');
    assert.equal(here.take('c1'), undefined, 'it runs, although the lease is not written');
    there.dispose();
    here.dispose();
  });

  it('gets its lease as soon as it can be written, so that no other window starts a turn', async () => {
    const folder = await makeFolder();
    const there = storeOn(open(folder));
    const disk = onFullDisk(open(folder, [], 'project one'), 'take');
    const here = storeOn(disk.history, [], () => undefined);
    here.put(withTurn(completeTurn()), 'e1');
    assert.equal(here.take('c1'), undefined);
    assert.equal(there.holder('c1'), undefined);
    disk.full = false;
    here.poll();
    assert.equal(there.take('c1')?.place, 'project one');
    there.dispose();
    here.dispose();
  });

  it('says in which conversation another window got the lease first', async () => {
    const folder = await makeFolder();
    const there = storeOn(open(folder));
    const disk = onFullDisk(open(folder), 'take');
    const here = storeOn(disk.history, [], () => undefined);
    here.put(withTurn(completeTurn()), 'e1');
    here.take('c1');
    there.take('c1');
    assert.deepEqual(here.poll().lost, []);
    disk.full = false;
    assert.deepEqual(here.poll().lost, ['c1']);
    assert.deepEqual(here.poll().lost, []);
    there.dispose();
    here.dispose();
  });

  it('shows what the disk has when it could write late and another window wrote before', async () => {
    const folder = await makeFolder();
    const there = storeOn(open(folder));
    const disk = onFullDisk(open(folder), 'putExchange');
    disk.full = false;
    const here = storeOn(disk.history);
    here.put(withTurn(completeTurn()), 'e1');
    disk.full = true;
    const second = (id: string, text: string) =>
      conversation('c1', [
        exchange('e1', 'Why?', [completeTurn()]),
        exchange(id, text, [{ ...completeTurn(), id: `t-${id}` }]),
      ]);
    here.put(second('e2', 'And here?'), 'e2');
    there.get('c1');
    there.put(second('e3', 'And there?'), 'e3');
    here.poll();
    disk.full = false;
    // The change of another conversation shows that there is space.
    here.put(conversation('c2', [exchange('e4', 'Else?', [{ ...completeTurn(), id: 't4' }])]), 'e4');
    here.put({ ...second('e2', 'And here?'), title: 'Late', named: true });
    here.poll();
    there.poll();
    const plain = (store: ConversationStore) => JSON.stringify(store.get('c1'));
    assert.equal(plain(here), plain(there));
    const { exchanges = [], branches = [] } = here.get('c1') ?? {};
    const all = [...exchanges, ...branches.flatMap((branch) => branch.exchanges)];
    assert.deepEqual(all.map(({ id }) => id).toSorted(), ['e1', 'e2', 'e3']);
    there.dispose();
    here.dispose();
  });

  it('renews an empty conversation whose draft changed meanwhile', async () => {
    const store = storeOn(open(await makeFolder()));
    const empty = conversation('c1', []);
    store.put(empty);
    store.putDraft('c1', 'Half');
    store.take('c1');
    store.putDraft('c1', 'Half a q');
    assert.equal(store.renew('c1'), undefined);
    store.dispose();
  });

  it('loads what another window has written', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    const there = storeOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    there.poll();
    assert.equal(there.get('c1')?.title, 'Title of c1');
    here.put({ ...withTurn(completeTurn()), title: 'Renamed', named: true });
    assert.deepEqual(there.poll().changed, ['c1']);
    assert.equal(there.get('c1')?.title, 'Renamed');
    here.dispose();
  });

  it('loads what another window has written while a draft is kept here', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    const there = storeOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    there.put({ ...withTurn(completeTurn()), title: 'Renamed', named: true });
    here.putDraft('c1', 'Half');
    here.putUnsent('c1', { editing: { exchangeId: 'e1', text: 'Why not?' } });
    assert.deepEqual(here.poll().changed, ['c1']);
    assert.equal(here.get('c1')?.title, 'Renamed');
    assert.equal(here.draft('c1'), 'Half');
    assert.equal(here.unsent('c1').editing?.text, 'Why not?');
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

  it('reports a failure of the database once, and again after writing has worked', async () => {
    const real = open(await makeFolder());
    let broken = true;
    const fail = () => {
      if (broken) throw Object.assign(new Error('busy'), { errcode: 5 });
    };
    const limited: History = {
      ...real,
      load: (id) => fail() ?? real.load(id),
      putDraft: (id, draft) => fail() ?? real.putDraft(id, draft),
      putExchange: (...args) => fail() ?? real.putExchange(...args),
    };
    const reported: string[] = [];
    const store = storeOn(limited, [], (what, error) => reported.push(`${what}, ${String(error)}`));
    for (let n = 0; n < 3; n++) {
      assert.equal(store.get('c1'), undefined);
      store.putDraft('c2', 'Half a q');
    }
    const once = ['reading a conversation, Error: busy', 'keeping a draft, Error: busy'];
    assert.deepEqual(reported, once);
    store.put(withTurn(completeTurn()), 'e1');
    broken = false;
    store.put(withTurn(completeTurn()), 'e1');
    broken = true;
    assert.equal(store.get('c3'), undefined);
    assert.deepEqual(reported, [...once, 'reading a conversation, Error: busy']);
    broken = false;
    store.dispose();
  });

  it('reports once that attachments could not be kept, and goes on', async () => {
    const failures: string[] = [];
    const full = () => {
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    };
    const real = open(await makeFolder());
    const store = storeOn({ ...real, putUnsent: full }, [], (what) => failures.push(what));
    store.put(withTurn(completeTurn()), 'e1');
    for (const text of ['a', 'ab']) store.putUnsent('c1', { editing: { exchangeId: 'e1', text } });
    assert.deepEqual(failures, ['keeping attachments']);
    assert.equal(store.get('c1')?.exchanges.length, 1);
  });

  it('counts the cost of turns without a conversation, with and without a database', async () => {
    const history = open(await makeFolder());
    for (const store of [storeOn(history), storeOn(undefined)]) {
      store.putSpend('elsewhere', completeTurn());
      assert.ok(store.costSince(0) > 0);
      assert.equal(store.costSince(Date.now()), 0);
      assert.deepEqual(store.list(), []);
    }
    assert.equal(history.byConversation(0, 5)[0]?.conversationId, 'elsewhere');
  });

  it('writes a cost that could not be written with the next cost, with the next change, and at the end', async () => {
    for (const next of ['cost', 'change', 'end'] as const) {
      const folder = await makeFolder();
      const disk = onFullDisk(open(folder), 'putSpend');
      const store = storeOn(disk.history, [], () => undefined);
      store.putSpend('one', { ...completeTurn(), id: 't2' });
      const cost = store.costSince(0);
      assert.ok(cost > 0);
      disk.full = false;
      if (next === 'cost') store.putSpend('two', { ...completeTurn(), id: 't3', usage: undefined });
      if (next === 'change') store.put(withTurn({ ...completeTurn(), usage: undefined }), 'e1');
      if (next !== 'end') assert.equal(store.costSince(0), cost);
      store.dispose();
      const later = open(folder);
      assert.equal(later.costSince(0), cost, next);
      assert.equal(later.byConversation(0, 5)[0]?.conversationId, 'one');
    }
  });

  it('counts the cost of a deleted conversation, but not of the demo, without a database', () => {
    const store = storeOn(undefined);
    store.put(withTurn(completeTurn('Demo.', { demo: true })), 'e1');
    assert.equal(store.costSince(0), 0);
    store.put(withTurn(completeTurn()), 'e1');
    const cost = store.costSince(0);
    assert.ok(cost > 0);
    store.remove('c1');
    assert.equal(store.costSince(0), cost);
  });

  it('works without a database until the window closes', () => {
    const store = storeOn(undefined);
    store.put(withTurn(completeTurn()), 'e1');
    assert.equal(store.list()[0]?.title, 'Title of c1');
    assert.deepEqual([store.list()[0]?.cost, store.list()[0]?.unreported], [0, 0]);
    assert.equal(store.take('c1'), undefined);
    store.remove('c1');
    assert.equal(store.get('c1'), undefined);
    store.restore('c1');
    assert.equal(store.get('c1')?.exchanges.length, 1);
  });

  it('writes its open conversations to the new database after one was set aside', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    await rename(join(folder, 'conversations.db'), join(folder, 'old.db'));
    for (const companion of ['-wal', '-shm'])
      await rename(join(folder, `conversations.db${companion}`), join(folder, `old.db${companion}`));
    const there = open(folder);
    assert.deepEqual(there.list(), []);
    here.poll();
    assert.equal(there.load('c1')?.exchanges[0]?.attempts[0]?.answer, 'Because.');
    assert.equal(here.get('c1')?.exchanges.length, 1);
    here.dispose();
  });
});
