import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, makeFolder, onFullDisk, open, storeOn, withTurn } from './support.ts';

describe('The conversation store', () => {
  it('counts the cost of turns without a conversation, with and without a database', async () => {
    const history = open(await makeFolder());
    for (const store of [storeOn(history), storeOn(undefined)]) {
      store.putSpend('elsewhere', completeTurn());
      assert.ok(store.costSince(0) > 0);
      assert.equal(store.costSince(Date.now()), 0);
      assert.deepEqual(store.list(), []);
    }
    assert.equal(history.byConversation(0)[0]?.conversationId, 'elsewhere');
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
      assert.equal(later.byConversation(0)[0]?.conversationId, 'one');
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

  it('lists what is begun without a database as well, so that a draft is found again after another one was created', () => {
    const store = storeOn(undefined);
    for (const id of ['empty', 'draft', 'named']) store.put(conversation(id, [], { named: id === 'named' }));
    store.putDraft('draft', 'A draft');
    assert.deepEqual(new Set(store.list().map(({ id }) => id)), new Set(['draft', 'named']));
    store.putDraft('draft', '');
    assert.deepEqual(
      store.list().map(({ id }) => id),
      ['named'],
    );
  });
});

describe('The list of a store whose database can’t be read for a while', () => {
  it('is the one before, and is read again when it can be, also when no window writes', async () => {
    const folder = await makeFolder();
    const real = open(folder);
    storeOn(real).put(withTurn(completeTurn()), 'e1');
    const disk = onFullDisk(open(folder), 'list');
    disk.errcode = 5;
    const store = storeOn(disk.history, [], () => undefined);
    const ids = () => store.list().map(({ id }) => id);
    assert.deepEqual(ids(), []);
    assert.equal(store.poll().listed, false, 'it can’t be read');
    disk.full = false;
    assert.equal(store.poll().listed, true);
    assert.deepEqual(ids(), ['c1']);
    assert.equal(store.poll().listed, false);

    disk.full = true;
    real.rename('c1', 'Another title');
    assert.equal(store.poll().listed, true);
    assert.deepEqual(ids(), ['c1'], 'the one before');
    assert.equal(store.poll().listed, false);
    disk.full = false;
    assert.equal(store.poll().listed, true);
    assert.deepEqual(
      store.list().map(({ title }) => title),
      ['Another title'],
    );
    assert.equal(store.poll().listed, false);
  });
});
