/** The end of a turn and its cost, when the conversation is deleted, or another window takes it over, meanwhile. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type Conversation, withTurn } from '../../../src/conversation/conversation.ts';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { type ConversationStore, createConversationStore } from '../../../src/history/conversationStore.ts';
import { type History, openHistory } from '../../../src/history/history.ts';
import { answer, completeTurn, FACTS } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, PRICES } from './support.ts';

const started = createTurn('t1', 1000, FACTS);
const running = foldTurn(started, { at: 100, event: answer('Half an ans') });
const ended: Turn = { ...completeTurn('Half an answer.'), id: 't1', startedAt: 1000 };
const asked = (turn: Turn): Conversation => conversation('c1', [exchange('e1', 'Why?', [turn])]);

function storeOn(history: History | undefined, troubles: unknown[] = []): ConversationStore {
  return createConversationStore({
    history,
    prices: () => PRICES,
    onTrouble: (trouble) => troubles.push(trouble),
    onFailure: () => undefined,
  });
}

let folder: string;
let here: ConversationStore;
let there: ConversationStore;
let cost: number;
/** The clock of the other window, in milliseconds ahead. */
let ahead: number;
async function prepare(): Promise<void> {
  folder = await makeFolder();
  ahead = 0;
  here = storeOn(open(folder));
  const other = openHistory({
    folder,
    place: 'another window',
    now: () => Date.now() + ahead,
    onSetAside: () => assert.fail(),
    onWrong: assert.fail,
  });
  assert.ok(other.ok);
  there = storeOn(other.history);
  const memory = storeOn(undefined);
  memory.put(asked(ended), 'e1');
  cost = memory.costSince(0);
  assert.ok(cost > 0);
}

function cleanUp(): void {
  for (const store of [here, there]) store.dispose();
}

/** Starts the turn in this window. Some of its text is written. */
function run(): void {
  here.take('c1');
  here.put(asked(started), 'e1');
  here.progress(asked(running), running);
}

/** Ends the turn as the conversations do. */
function end(store = here): void {
  store.release('c1');
  const latest = store.latest('c1');
  if (latest === undefined) store.putEnd('c1', 'e1', ended);
  else store.put(withTurn(latest, 'e1', ended), 'e1');
}

const turnIn = (store: ConversationStore) => store.get('c1')?.exchanges[0]?.attempts[0];

describe('A turn whose conversation is deleted while it runs', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  for (const when of ['before the end', 'after the end', 'never']) {
    it(`keeps its end and its cost, once; restored ${when}`, () => {
      run();
      here.remove('c1');
      if (when === 'before the end') here.restore('c1');
      end();
      if (when === 'never') assert.equal(here.get('c1'), undefined);
      if (when === 'after the end') here.restore('c1');
      assert.equal(here.costSince(0), cost);
      here.dispose();
      assert.equal(there.costSince(0), cost);
      if (when === 'never') assert.deepEqual(there.list(), []);
      there.restore('c1');
      assert.equal(turnIn(there)?.outcome, 'complete');
      assert.equal(turnIn(there)?.answer, 'Half an answer.');
      assert.equal(there.list()[0]?.cost, cost);
    });
  }

  it('keeps its end and its cost when another window deletes and restores it', () => {
    run();
    there.remove('c1');
    assert.deepEqual(here.poll().removed, ['c1']);
    end();
    there.restore('c1');
    there.poll();
    assert.equal(turnIn(there)?.outcome, 'complete');
    here.poll();
    assert.equal(turnIn(here)?.outcome, 'complete');
    assert.equal(there.costSince(0), cost);
  });

  it('does not undo what the other window changed before it deleted the conversation', () => {
    run();
    const now = there.latest('c1') ?? asked(started);
    there.put({ ...now, title: 'Renamed there', named: true });
    there.remove('c1');
    end();
    there.restore('c1');
    there.poll();
    assert.equal(there.get('c1')?.title, 'Renamed there');
    assert.equal(turnIn(there)?.outcome, 'complete');
  });

  it('goes on with its text once when it is restored while it runs', () => {
    run();
    here.remove('c1');
    here.restore('c1');
    const more = foldTurn(running, { at: 200, event: answer('wer') });
    here.progress(withTurn(here.get('c1') ?? asked(started), 'e1', more), more);
    here.dispose();
    assert.equal(turnIn(there)?.answer, 'Half an answer');
  });

  it('keeps the cost of a conversation that is purged meanwhile, and no rows', () => {
    run();
    here.remove('c1');
    const history = open(folder);
    history.purge(Date.now() + 1);
    end();
    assert.equal(history.costSince(0), cost);
    history.restore('c1');
    assert.equal(history.load('c1'), undefined);
    assert.equal(history.isKnown(['e1']), false);
  });

  it('keeps its cost without a database, once', () => {
    const memory = storeOn(undefined);
    memory.take('c1');
    memory.put(asked(started), 'e1');
    memory.remove('c1');
    end(memory);
    assert.equal(memory.costSince(0), cost);
    memory.restore('c1');
    assert.equal(memory.costSince(0), cost);
    assert.equal(turnIn(memory)?.outcome, 'complete');
  });

  for (const restoredBy of ['the other window', 'both windows'])
    it(`keeps what the other window asked while its end could not be written; restored by ${restoredBy}`, () => {
      const disk = onFullDisk(open(folder), 'putEnd');
      const store = storeOn(disk.history);
      store.take('c1');
      store.put(asked(started), 'e1');
      store.remove('c1');
      end(store);
      there.restore('c1');
      const latest = there.latest('c1') ?? asked(started);
      const next = exchange('e2', 'And then?', [{ ...completeTurn('So.'), id: 't2', startedAt: 2000 }]);
      there.put({ ...latest, exchanges: [...latest.exchanges, next] }, 'e2');
      if (restoredBy === 'both windows') store.restore('c1');
      else store.poll();
      for (const full of [true, false]) {
        disk.full = full;
        store.poll();
        there.poll();
        for (const one of full ? [store] : [store, there]) {
          assert.deepEqual(
            one.get('c1')?.exchanges.map(({ id }) => id),
            ['e1', 'e2'],
          );
          assert.deepEqual(one.get('c1')?.branches, []);
          assert.equal(turnIn(one)?.outcome, 'complete');
        }
      }
      // In the account are the turn whose end was late and the next one.
      assert.equal(open(folder).recorded(['t1', 't2']).size, 2);
    });

  it('is not shown again when what could not be saved of it is saved later', () => {
    const disk = onFullDisk(open(folder), 'putHeader');
    const store = storeOn(disk.history);
    store.put(asked(ended), 'e1');
    store.remove('c1');
    disk.full = false;
    store.dispose();
    assert.deepEqual(there.list(), []);
    assert.equal(there.costSince(0), cost);
    there.restore('c1');
    assert.equal(turnIn(there)?.answer, 'Half an answer.');
  });
});

describe('A window that does not run for longer than its lease', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  /** The other window finds the lease expired, and ends the turn as interrupted. */
  function takeOver(): void {
    run();
    ahead = 60_000;
    assert.equal(turnIn(there)?.outcome, 'interrupted');
    assert.equal(there.costSince(0), 0);
  }

  it('corrects the end, the text, and the cost of its turn when it goes on', () => {
    takeOver();
    end();
    assert.equal(here.costSince(0), cost);
    there.poll();
    assert.equal(turnIn(there)?.outcome, 'complete');
    assert.equal(turnIn(there)?.answer, 'Half an answer.');
    assert.equal(there.list()[0]?.cost, cost);
    assert.equal(there.list()[0]?.unreported, 0);
  });

  it('changes nothing else that the other window wrote meanwhile', () => {
    takeOver();
    const taken = there.get('c1') ?? asked(ended);
    const second = { ...completeTurn('Second.'), id: 't2' };
    const third = { ...completeTurn('Third.'), id: 't3' };
    const [first = exchange('e1', '', [])] = taken.exchanges;
    const longer: Conversation = {
      ...taken,
      title: 'Renamed there',
      named: true,
      exchanges: [
        { ...first, attempts: [...first.attempts, second], shown: 1 },
        exchange('e2', 'And?', [third]),
      ],
    };
    there.put(longer, 'e1');
    there.put(longer, 'e2');
    end();
    for (const store of [here, there]) {
      store.poll();
      const now = store.get('c1');
      assert.equal(now?.title, 'Renamed there');
      assert.equal(now?.exchanges.length, 2);
      assert.equal(now?.exchanges[0]?.shown, 1);
      assert.deepEqual(
        now?.exchanges[0]?.attempts.map(({ outcome }) => outcome),
        ['complete', 'complete'],
      );
    }
  });

  it('is not overruled by the window that assumed the end', () => {
    takeOver();
    const assumed = there.get('c1') ?? asked(ended);
    end();
    there.put(assumed, 'e1');
    assert.equal(open(folder).load('c1')?.exchanges[0]?.attempts[0]?.outcome, 'complete');
    assert.equal(there.costSince(0), cost);
  });

  it('shows its own turn as running while it runs', () => {
    takeOver();
    there.put({ ...(there.get('c1') ?? asked(ended)), title: 'Renamed there', named: true });
    assert.deepEqual(here.poll().changed, ['c1']);
    assert.equal(turnIn(here)?.outcome, undefined);
    assert.equal(here.get('c1')?.title, 'Renamed there');
  });
});

describe('A window that shows a turn of another window', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  it('shows it as interrupted when that window is gone without another write', () => {
    run();
    assert.equal(turnIn(there)?.outcome, undefined);
    there.poll();
    ahead = 60_000;
    assert.deepEqual(there.poll().changed, ['c1']);
    assert.equal(turnIn(there)?.outcome, 'interrupted');
    assert.deepEqual(there.poll().changed, []);
  });
});

describe('What could not be saved', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  it('stays in memory, and is reported, until it is written, however much else is saved', () => {
    const real = open(folder);
    let broken = true;
    const troubles: unknown[] = [];
    const store = storeOn(
      {
        ...real,
        putExchange(id, ...args) {
          if (broken && id === 'c1') throw Object.assign(new Error('failed'), { errcode: 1 });
          real.putExchange(id, ...args);
        },
      },
      troubles,
    );
    store.put(asked(ended), 'e1');
    for (let n = 0; n < 30; n++) {
      const turn = { ...completeTurn(), id: `other-t${n}` };
      store.put(conversation(`other${n}`, [exchange(`other-e${n}`, 'Q', [turn])]), `other-e${n}`);
    }
    assert.equal(turnIn(store)?.answer, 'Half an answer.');
    assert.deepEqual(troubles, ['failed']);
    assert.equal(store.trouble(), 'failed');
    broken = false;
    store.dispose();
    assert.deepEqual(troubles, ['failed', undefined]);
    assert.equal(turnIn(there)?.answer, 'Half an answer.');
  });
});

describe('A turn without usage', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  const unreported: Turn = { ...ended, usage: undefined, estimatedCost: 0.5 };
  const sums = (store: ConversationStore) => [store.costSince(0), store.estimatedSince(0)];

  it('counts as spent with its estimated cost, in every window and after a reload', () => {
    here.put(asked(unreported), 'e1');
    assert.deepEqual([here, there, storeOn(open(folder))].map(sums), Array(3).fill([0.5, 0.5]));
    assert.deepEqual(turnIn(there)?.estimatedCost, 0.5);
    assert.deepEqual(sums(here), [0.5, 0.5]);
    assert.equal(here.costSince(unreported.startedAt + 1), 0);
    here.remove('c1');
    assert.deepEqual(sums(there), [0.5, 0.5]);
  });

  it('counts once, also in a copy', () => {
    here.put(asked(unreported), 'e1');
    here.put(asked(unreported), 'e1');
    here.putCopy({ ...conversation('c2', [exchange('e2', 'Why?', [{ ...unreported, id: 't2' }])]) });
    assert.deepEqual(sums(here), [0.5, 0.5]);
  });

  it('counts when it is not part of a conversation, beside those that reported', () => {
    here.putSpend('another chat', unreported);
    here.putSpend('another chat', unreported);
    here.putSpend('another chat', { ...ended, id: 't3' });
    assert.deepEqual(sums(there), [0.5 + cost, 0.5]);
  });

  it('counts when nothing can be written', () => {
    const memory = storeOn(undefined);
    memory.put(asked(unreported), 'e1');
    assert.deepEqual(sums(memory), [0.5, 0.5]);
    // Its question was edited, so that it is on another branch.
    const branches = [{ after: undefined, exchanges: asked(unreported).exchanges }];
    memory.put({ ...conversation('c1', []), branches }, undefined);
    assert.deepEqual(sums(memory), [0.5, 0.5]);
  });

  it('counts with its estimate only until its usage is known', () => {
    const history = open(folder);
    history.putHeader(asked(unreported));
    const linked = (turn: Turn) => ({ exchange: exchange('e1', 'Why?', [turn]), parent: undefined });
    history.putExchange('c1', linked(unreported), PRICES);
    history.finish('c1', 'e1', ended, PRICES);
    assert.deepEqual([history.costSince(0), history.estimatedSince(0)], [cost, 0]);
  });
});

describe('The account on a full disk', () => {
  const done = (id: string): Turn => ({ ...completeTurn('Answer.'), id, startedAt: 1000 });
  const opened: ConversationStore[] = [];
  const openStore = (history: History): ConversationStore => {
    const store = storeOn(history);
    opened.push(store);
    return store;
  };
  afterEach(() => {
    for (const store of opened.splice(0)) store.dispose();
  });

  it('has the turns of a copy no second time, also of one that was made before', async () => {
    const own = await makeFolder();
    const before = openStore(open(own));
    before.put(conversation('c1', [exchange('e1', 'Why?', [done('t1')])]), 'e1');
    const spent = before.costSince(0);
    before.putCopy(conversation('c2', [exchange('e2', 'Why?', [done('t2')])]));
    before.dispose();
    const disk = onFullDisk(open(own), 'putHeader');
    const after = openStore(disk.history);
    const copy = after.get('c2') ?? assert.fail();
    after.put({ ...copy, title: 'Another title', named: true }, undefined);
    assert.equal(after.costSince(0), spent);
    disk.full = false;
  });

  it('ends the turn of a window that was killed once, however often it is asked', async () => {
    const own = await makeFolder();
    const killed = openStore(open(own, [], 'a'));
    killed.put(asked(started), 'e1');
    killed.progress(asked(running), running);
    killed.dispose();
    const disk = onFullDisk(open(own), 'putEnd');
    let loads = 0;
    const store = openStore({
      ...disk.history,
      loadAny(id) {
        loads += 1;
        return disk.history.loadAny(id);
      },
    });
    const sums = new Set([1, 2, 3].map(() => store.costSince(0)));
    assert.deepEqual([sums.size, loads], [1, 1]);
    disk.full = false;
  });
});

describe('What was spent, while the database is locked', () => {
  it('is what was known last, and what has ended since, so that the daily cap is not exceeded without a question', async () => {
    const history = open(await makeFolder());
    let isLocked = false;
    const locked = new Proxy(history, {
      get: (_, name: keyof History) =>
        isLocked && name !== 'isOpen'
          ? () => {
              throw Object.assign(new Error('database is locked'), { errcode: 5 });
            }
          : history[name],
    });
    const store = storeOn(locked);
    const other = (id: string): Turn => ({ ...completeTurn(), id, startedAt: 2000 });
    store.putSpend('other chats', other('t1'));
    const since = (time: number) =>
      [store.costSince(time), store.estimatedSince(time)].map((cost) => Number(cost.toFixed(9)));
    const [once = 0] = since(1000);
    assert.ok(once > 0);
    isLocked = true;
    assert.deepEqual(since(1000), [once, 0]);
    store.put(asked(other('t2')), 'e1');
    store.putSpend('other chats', { ...other('t3'), usage: undefined, estimatedCost: 1 });
    const all = [Number((2 * once + 1).toFixed(9)), 1];
    assert.deepEqual(since(1000), all);
    assert.deepEqual(since(3000), [0, 0], 'the next day');
    isLocked = false;
    store.poll();
    assert.deepEqual(since(1000), all);
    isLocked = true;
    assert.deepEqual(since(1000), all);
    store.dispose();
  });
});
