import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { createTurn, foldTurn } from '../../../src/chat/fold.ts';
import type { Conversation, Turn } from '../../../src/chat/turn.ts';
import type { History } from '../../../src/history/history.ts';
import { createShelf, type Shelf } from '../../../src/history/shelf.ts';
import type { StorageTrouble } from '../../../src/history/sqlite.ts';
import { answer, completeTurn, FACTS, reasoning } from '../chat/turns.ts';
import { conversation, exchange, makeFolder, open, PRICES } from './support.ts';

function shelfOn(
  history: History | undefined,
  troubles: (StorageTrouble | undefined)[] = [],
  onFailure: (what: string, error: unknown) => void = assert.fail,
): Shelf {
  return createShelf({
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

describe('The shelf', () => {
  it('shows a turn whose window is gone as interrupted, with all that had arrived', async () => {
    const folder = await makeFolder();
    const first = shelfOn(open(folder));
    first.take('c1');
    first.put(withTurn(createTurn('t1', 1000, FACTS)), 'e1');
    first.progress(withTurn(running()), running());
    first.dispose();
    const turn = shelfOn(open(folder)).get('c1')?.exchanges[0]?.attempts[0];
    assert.equal(turn?.outcome, 'interrupted');
    assert.equal(turn?.answer, 'Half an ans');
    assert.equal(turn?.reasoning, 'Thinking.');
  });

  it('leaves a turn alone that runs in another window, and says where', async () => {
    const folder = await makeFolder();
    const here = shelfOn(open(folder, [], 'project one'));
    here.take('c1');
    here.put(withTurn(createTurn('t1', 1000, FACTS)), 'e1');
    const there = shelfOn(open(folder, [], 'project two'));
    assert.equal(there.get('c1')?.exchanges[0]?.attempts[0]?.outcome, undefined);
    assert.equal(there.take('c1')?.place, 'project one');
    here.dispose();
  });

  it('takes over what another window has written', async () => {
    const folder = await makeFolder();
    const here = shelfOn(open(folder));
    const there = shelfOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    there.poll();
    assert.equal(there.get('c1')?.title, 'Title of c1');
    here.put({ ...withTurn(completeTurn()), title: 'Renamed', named: true });
    assert.deepEqual(there.poll().changed, ['c1']);
    assert.equal(there.get('c1')?.title, 'Renamed');
    here.dispose();
  });

  it('keeps a conversation in memory while the disk is full, and writes it when there is room', async () => {
    const folder = await makeFolder();
    const real = open(folder);
    let full = true;
    const limited: History = {
      ...real,
      putExchange(...args) {
        if (full) throw Object.assign(new Error('full'), { errcode: 13 });
        real.putExchange(...args);
      },
    };
    const troubles: (StorageTrouble | undefined)[] = [];
    const shelf = shelfOn(limited, troubles);
    shelf.put(withTurn(completeTurn()), 'e1');
    assert.deepEqual(troubles, ['full']);
    assert.equal(shelf.get('c1')?.exchanges.length, 1);
    assert.equal(shelf.list().length, 1);
    full = false;
    shelf.put(
      conversation('c1', [
        exchange('e1', 'Why?', [completeTurn()]),
        exchange('e2', 'And?', [{ ...completeTurn(), id: 't2' }]),
      ]),
      'e2',
    );
    assert.deepEqual(troubles, ['full', undefined]);
    assert.equal(real.load('c1')?.exchanges.length, 2);
    shelf.dispose();
  });

  it('tells once what the store does not do, and again when it has worked in between', async () => {
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
    const told: string[] = [];
    const shelf = shelfOn(limited, [], (what, error) => told.push(`${what}, ${String(error)}`));
    for (let n = 0; n < 3; n++) {
      assert.equal(shelf.get('c1'), undefined);
      shelf.putDraft(conversation('c2', []), 'Half a q');
    }
    const once = ['reading a conversation, Error: busy', 'keeping a draft, Error: busy'];
    assert.deepEqual(told, once);
    shelf.put(withTurn(completeTurn()), 'e1');
    broken = false;
    shelf.put(withTurn(completeTurn()), 'e1');
    broken = true;
    assert.equal(shelf.get('c3'), undefined);
    assert.deepEqual(told, [...once, 'reading a conversation, Error: busy']);
    broken = false;
    shelf.dispose();
  });

  it('counts what was spent outside of its conversations, with a store and without one', async () => {
    const history = open(await makeFolder());
    for (const shelf of [shelfOn(history), shelfOn(undefined)]) {
      shelf.putSpend('elsewhere', completeTurn());
      assert.ok(shelf.costSince(0) > 0);
      assert.equal(shelf.costSince(Date.now()), 0);
      assert.deepEqual(shelf.list(), []);
    }
    assert.equal(history.byConversation(0, 5)[0]?.conversationId, 'elsewhere');
  });

  it('counts what a deleted conversation cost, and nothing that the demo answered, without a store', () => {
    const shelf = shelfOn(undefined);
    shelf.put(withTurn(completeTurn('Demo.', { demo: true })), 'e1');
    assert.equal(shelf.costSince(0), 0);
    shelf.put(withTurn(completeTurn()), 'e1');
    const cost = shelf.costSince(0);
    assert.ok(cost > 0);
    shelf.remove('c1');
    assert.equal(shelf.costSince(0), cost);
  });

  it('works without a store, and forgets with the window', () => {
    const shelf = shelfOn(undefined);
    shelf.put(withTurn(completeTurn()), 'e1');
    assert.equal(shelf.list()[0]?.title, 'Title of c1');
    assert.equal(shelf.take('c1'), undefined);
    shelf.remove('c1');
    assert.equal(shelf.get('c1'), undefined);
    shelf.restore('c1');
    assert.equal(shelf.get('c1')?.exchanges.length, 1);
  });

  it('brings its open conversations into the store that took the place of one set aside', async () => {
    const folder = await makeFolder();
    const here = shelfOn(open(folder));
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
