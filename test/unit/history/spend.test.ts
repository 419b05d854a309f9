import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { withExchange } from '../../../src/conversation/conversation.ts';
import type { TurnEnd } from '../../../src/conversation/events.ts';
import { createTurn } from '../../../src/conversation/fold.ts';
import { forkOf } from '../../../src/conversation/fork.ts';
import { toRound } from '../../../src/conversation/rounds.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { costOf, toUsageTotals } from '../../../src/conversation/usage/cost.ts';
import { withEstimatedCost } from '../../../src/conversation/usage/unreportedCost.ts';
import { toUsageSums } from '../../../src/conversation/usage/usage.ts';
import type { ConversationStore } from '../../../src/history/conversationStore.ts';
import { type History, openHistory } from '../../../src/history/history.ts';
import { findSqlite } from '../../../src/history/sqlite.ts';
import {
  answer,
  completeTurn,
  DONE,
  FACTS,
  failedBy,
  finish,
  REFUSED_ONCE,
  reasoning,
  SERVICE_ENDED,
  SOME_USAGE,
  turnOf,
  USER_ENDED,
  usage,
} from '../conversation/turns.ts';
import { conversation, exchange, halfTurn, makeFolder, open, PRICES, storeOn, withTurn } from './support.ts';

const NOON = new Date(2026, 10, 20, 12).getTime();
const DAY_MS = 24 * 60 * 60 * 1000;

describe('The usage of all conversations', () => {
  it('is grouped by day, conversation, and outcome; turns without usage are counted, but not summed', async () => {
    const history = open(await makeFolder());
    const turns = [
      { ...completeTurn(), id: 't1', startedAt: NOON },
      { ...completeTurn(), id: 't2', startedAt: NOON + 60_000, usage: undefined },
      { ...completeTurn(), id: 't3', startedAt: NOON + DAY_MS },
      { ...turnOf([failedBy('bad-key')]), id: 't4', startedAt: NOON + DAY_MS },
      { ...turnOf([...REFUSED_ONCE, USER_ENDED]), id: 't5', startedAt: NOON + DAY_MS },
    ];
    const one = conversation('c1', [exchange('e1', 'q', turns)]);
    history.putHeader(one);
    history.putExchange(
      'c1',
      { exchange: one.exchanges[0] ?? exchange('e', '', []), parent: undefined },
      PRICES,
    );
    assert.deepEqual(
      history
        .byDay(0)
        .map(({ day, turns: count, unreported, promptTokens }) => [day, count, unreported, promptTokens]),
      [
        ['2026-11-20', 2, 1, 2000],
        ['2026-11-21', 3, 0, 2000],
      ],
    );
    assert.equal(history.byDay(NOON + 3_600_000).length, 1);
    assert.equal(history.byConversation(0)[0]?.title, 'Title of c1');
    assert.deepEqual(history.outcomes(0), [
      { outcome: 'complete', turns: 3 },
      { outcome: 'stopped', turns: 1 },
      { outcome: 'failed', turns: 1 },
    ]);
    assert.ok(history.costSince(NOON) > history.costSince(NOON + DAY_MS / 2));
  });

  it('counts a turn of which only some requests reported usage as one that is not reported, as the status bar does', async () => {
    const history = open(await makeFolder());
    const { usage, ...turn } = { ...completeTurn(), startedAt: NOON };
    const rounds: Turn['rounds'] = [
      { ...turn, usage, toolCalls: [], times: { ...turn.roundTimes, endedAt: 40 } },
    ];
    const complete: Turn = { ...turn, tries: 1, rounds, usage };
    const partly: Turn = { ...complete, usage: undefined, estimatedCost: 0.01 };
    const store = storeOn(history);
    const one = withTurn(partly);
    store.put(one, 'e1');
    const shown = toUsageTotals(one, PRICES);
    assert.deepEqual([shown.unreported, shown.cost > 0], [1, true]);
    const [day, route, conversationRow, row] = [
      history.byDay(0)[0],
      history.byRoute(0)[0],
      history.byConversation(0)[0],
      store.list()[0],
    ];
    for (const found of [day, route, conversationRow, row])
      assert.deepEqual([found?.unreported, found?.cost], [1, shown.cost]);
    // The usage of its last request arrives after all.
    store.put(withTurn(complete), 'e1');
    assert.deepEqual([history.byDay(0)[0]?.unreported, store.list()[0]?.unreported], [0, 0]);
  });

  it('has no figure that a service doesn’t report, and zeros where nothing was billed, as the status bar does', async () => {
    const history = open(await makeFolder());
    const store = storeOn(history);
    const bare = usage({ promptTokens: 1000, completionTokens: 50, totalTokens: 1050 });
    const turns = {
      gateway: turnOf([reasoning('Hm.'), answer('So.'), bare, finish('stop'), DONE, SERVICE_ENDED]),
      silent: turnOf([reasoning('Hm.'), answer('So.'), finish('stop'), DONE, SERVICE_ENDED]),
      refused: turnOf([failedBy('bad-key')]),
      direct: completeTurn(),
    };
    for (const [id, turn] of Object.entries(turns))
      store.put(conversation(id, [exchange(`${id}-e`, 'q', [{ ...turn, id, startedAt: NOON }])]), `${id}-e`);
    const figuresOf = (name: string) => {
      const { promptTokens, cachedTokens, reasoningTokens, answerTokens } =
        history.byConversation(0).find(({ conversationId }) => conversationId === name) ?? assert.fail();
      return [promptTokens, cachedTokens, reasoningTokens, answerTokens];
    };
    assert.deepEqual(figuresOf('gateway'), [1000, undefined, undefined, undefined]);
    assert.deepEqual(figuresOf('silent'), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(figuresOf('refused'), [0, 0, 0, 0]);
    assert.deepEqual(figuresOf('direct'), [2000, 1792, 40, 10]);
    // What is known of a day is a part of it.
    assert.deepEqual(toUsageSums(history.byConversation(0)), toUsageSums(history.byDay(0)));
    assert.equal(history.byDay(0)[0]?.reasoningTokens, 40);
  });

  it('says the same as the status bar and the footer about each way in which a turn is not fully reported', async () => {
    const early = usage({ promptTokens: 1000, completionTokens: 1, totalTokens: 1001 });
    const refused: TurnEnd = {
      type: 'ended',
      by: 'error',
      failure: { kind: 'invalid-request', details: { status: 400 } },
    };
    const round = toRound(turnOf([answer('a'), finish('tool_calls'), DONE]), [], 10);
    const whole = { ...round, usage: SOME_USAGE };
    const refusedAfter = (...rounds: Turn['rounds']): Turn => ({
      ...turnOf([{ type: 'try', tries: 1 }, refused]),
      rounds,
    });
    const turns: readonly (readonly [turn: Turn, unreported: number])[] = [
      [completeTurn(), 0],
      [turnOf([answer('a'), failedBy('stream-error')]), 1],
      [turnOf([failedBy('stream-error')]), 0],
      [turnOf([refused]), 0],
      [turnOf([...REFUSED_ONCE, USER_ENDED]), 0],
      [turnOf([early, answer('a'), failedBy('connection-lost')]), 1],
      [turnOf([answer('a'), early, USER_ENDED]), 1],
      [turnOf([answer('a'), usage({ totalTokens: 500 }), finish('stop'), DONE, SERVICE_ENDED]), 1],
      [refusedAfter(round, round), 1],
      [refusedAfter(whole, round), 1],
      [refusedAfter(whole, whole), 0],
      [refusedAfter(), 0],
      [{ ...completeTurn(), rounds: [round], tries: 1 }, 1],
    ];
    // Also without an estimate, and with one of nothing.
    for (const costBasis of [{ inputCosts: [1, 1, 1], prices: PRICES, ratio: 1 }, undefined]) {
      const history = open(await makeFolder());
      const store = storeOn(history);
      const attempts = turns.map(([turn], i) => ({ ...withEstimatedCost(turn, costBasis), id: `t${i}` }));
      for (const [i, attempt] of attempts.entries()) {
        const one = conversation(`c${i}`, [exchange(`e${i}`, 'q', [attempt])]);
        store.put(one, `e${i}`);
        const shown = toUsageTotals(one, PRICES);
        const told = [shown.unreported, shown.cost];
        assert.equal(shown.unreported, turns[i]?.[1], `turn ${i}`);
        const page = history.byConversation(0).find(({ conversationId }) => conversationId === `c${i}`);
        const row = store.list().find(({ id }) => id === `c${i}`);
        for (const found of [page, row])
          assert.deepEqual([found?.unreported, found?.cost], told, `turn ${i}`);
      }
      const spent = attempts.reduce(
        (sum, turn) => sum + (costOf(turn, PRICES) ?? 0) + (turn.estimatedCost ?? 0),
        0,
      );
      assert.ok(Math.abs(store.costSince(0) - spent) < 1e-9);
    }
  });

  it('has the turns of a fork and of an import nowhere: not in the list, and not in the status bar', async () => {
    const folder = await makeFolder();
    const turn = (id: string): Turn => ({ ...completeTurn(), id });
    let count = 0;
    const options = { createdAt: NOON, newId: () => `new-${++count}` };
    const add = (store: ConversationStore): readonly string[] => {
      const original = withTurn(turn('t1'));
      store.put(original, 'e1');
      const fork = forkOf(original, undefined, options);
      store.putCopy(fork);
      store.put(withExchange(fork, exchange('e2', 'And?', [turn('t2')])), 'e2');
      const file = conversation('c3', [exchange('e3', 'Why?', [turn('t3')])]);
      return [original.id, fork.id, store.putImported(file, options).id];
    };
    const shownIn = (store: ConversationStore, ids: readonly string[]) =>
      ids.map((id) => {
        const { cost, turns } = toUsageTotals(store.get(id) ?? assert.fail(), PRICES, store.copies(id));
        return [cost, turns];
      });
    const cost = costOf(completeTurn(), PRICES);
    const once = [
      [cost, 1],
      [cost, 1],
      [0, 0],
    ];
    const memory = storeOn(undefined);
    assert.deepEqual(shownIn(memory, add(memory)), once);
    const before = storeOn(open(folder));
    const ids = add(before);
    assert.deepEqual(shownIn(before, ids), once);
    before.dispose();
    const after = storeOn(open(folder));
    assert.deepEqual(shownIn(after, ids), once);
    for (const { id, cost: listed } of after.list())
      assert.equal(toUsageTotals(after.get(id) ?? assert.fail(), PRICES, after.copies(id)).cost, listed);
  });

  it('has the turns of a fork nowhere also while the database can’t be read, which is asked once until another window writes', async () => {
    const folder = await makeFolder();
    const before = storeOn(open(folder));
    const original = withTurn(completeTurn());
    before.put(original, 'e1');
    let count = 0;
    const fork = forkOf(original, undefined, { createdAt: NOON, newId: () => `new-${++count}` });
    before.putCopy(fork);
    const history = open(folder);
    let asked = 0;
    let isLocked = false;
    const counting: History = {
      ...history,
      copies(id) {
        asked++;
        if (isLocked) throw Object.assign(new Error('locked'), { errcode: 5 });
        return history.copies(id);
      },
    };
    const store = storeOn(counting, [], () => undefined);
    const own = () => toUsageTotals(fork, PRICES, store.copies(fork.id)).turns;
    assert.deepEqual([own(), own(), asked], [0, 0, 1]);
    before.put({ ...original, title: 'Renamed' });
    store.poll();
    assert.deepEqual([own(), own(), asked], [0, 0, 2]);
    before.put({ ...original, title: 'Again' });
    store.poll();
    isLocked = true;
    assert.deepEqual([own(), asked], [0, 3]);
  });

  it('has the median time to the first token of each day, without turns that had none', async () => {
    const history = open(await makeFolder());
    const put = (id: string, startedAt: number, firstAnswer: number | undefined) => {
      const turn = completeTurn();
      const timings = { ...turn.timings, firstReasoning: undefined, firstAnswer };
      history.putSpend('c1', { ...turn, id, startedAt, timings }, PRICES);
    };
    put('t1', NOON, 900);
    put('t2', NOON + 1, 300.4);
    put('t3', NOON + 2, 20_000);
    put('t4', NOON + 3, undefined);
    put('t5', NOON + DAY_MS, undefined);
    assert.deepEqual(
      history.byDay(0).map(({ day, firstTokenMs }) => [day, firstTokenMs]),
      [
        ['2026-11-20', 900],
        ['2026-11-21', undefined],
      ],
    );
  });

  it('is grouped by route, the most expensive first; an answer of another route is in its own row', async () => {
    const history = open(await makeFolder());
    const put = (id: string, routeName: string) =>
      history.putSpend('c1', { ...completeTurn('Because.', { routeName }), id }, PRICES);
    put('t1', 'home');
    put('t2', 'work');
    put('t3', 'work');
    assert.deepEqual(
      history.byRoute(0).map(({ route, turns, promptTokens }) => [route, turns, promptTokens]),
      [
        ['work', 2, 4000],
        ['home', 1, 2000],
      ],
    );
    assert.deepEqual(history.byRoute(Date.now() + DAY_MS), []);
  });

  it('keeps the demo apart: last, not with a route called Demo, in no day, and in no outcome', async () => {
    const history = open(await makeFolder());
    const put = (id: string, more: Parameters<typeof completeTurn>[1]) =>
      history.putSpend('c1', { ...completeTurn('Because.', more), id, startedAt: NOON }, PRICES);
    put('t1', { routeName: 'Demo' });
    put('t2', { routeName: 'Demo', demo: true });
    put('t3', { routeName: 'Demo', demo: true });
    assert.deepEqual(
      history.byRoute(0).map(({ route, turns }) => [route, turns]),
      [
        ['Demo', 1],
        [undefined, 2],
      ],
    );
    assert.deepEqual(
      history.byConversation(0).map(({ demo, turns, cost }) => [demo, turns, cost > 0]),
      [
        [false, 1, true],
        [true, 2, false],
      ],
    );
    assert.deepEqual(
      history.byDay(0).map(({ turns }) => turns),
      [1],
    );
    assert.deepEqual(history.outcomes(0), [{ outcome: 'complete', turns: 1 }]);
  });

  it('counts the tokens of the demo at no cost, and loads its turns as demo turns', async () => {
    const history = open(await makeFolder());
    const turn = completeTurn('Because.', { demo: true });
    const one = conversation('c1', [exchange('e1', 'q', [turn])]);
    history.putHeader(one);
    history.putExchange('c1', { exchange: exchange('e1', 'q', [turn]), parent: undefined }, PRICES);
    history.putSpend('elsewhere', { ...turn, id: 't2' }, PRICES);
    assert.equal(history.costSince(0), 0);
    assert.deepEqual(
      history
        .byRoute(0)
        .map(({ turns, unreported, promptTokens, cost }) => [turns, unreported, promptTokens, cost]),
      [[2, 0, 4000, 0]],
    );
    assert.deepEqual(history.byDay(0), []);
    assert.deepEqual(
      history.list().map(({ cost, unreported }) => [cost, unreported]),
      [[0, 0]],
    );
    assert.equal(history.load('c1')?.exchanges[0]?.attempts[0]?.request.demo, true);
  });

  it('counts a turn over midnight for the day of its end at the daily cap, and for that of its beginning elsewhere', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    const midnight = new Date(2026, 10, 21).getTime();
    const over = (id: string, endedAt: number): Turn => {
      const turn = completeTurn();
      const startedAt = midnight - 60_000;
      return { ...turn, id, startedAt, timings: { ...turn.timings, ended: endedAt - startedAt } };
    };
    const cost = costOf(completeTurn(), PRICES) ?? assert.fail();
    history.putSpend('c1', over('t1', midnight - 1), PRICES);
    assert.equal(history.costSince(midnight), 0);
    history.putSpend('c1', over('t2', midnight), PRICES);
    const cut = { ...over('t3', midnight + 60_000), usage: undefined, estimatedCost: 0.5 };
    history.putSpend('c1', cut, PRICES);
    assert.deepEqual([history.costSince(midnight), history.estimatedSince(midnight)], [cost + 0.5, 0.5]);
    assert.equal(history.costSince(midnight + DAY_MS), 0);
    assert.deepEqual(
      history.byDay(0).map(({ day, turns }) => [day, turns]),
      [['2026-11-20', 3]],
    );
    const memory = storeOn(undefined);
    memory.put(withTurn(cut), 'e1');
    memory.putSpend('another chat', over('t2', midnight));
    memory.putSpend('another chat', over('t1', midnight - 1));
    assert.equal(memory.costSince(midnight), cost + 0.5);
  });

  it('has no estimate for a copy, also if the copy of a turn is changed later', async () => {
    const history = open(await makeFolder());
    const cut: Turn = { ...completeTurn(), id: 't1', usage: undefined, estimatedCost: 0.5 };
    const one = conversation('c1', [exchange('e1', 'q', [cut])]);
    history.putHeader(one);
    history.putExchange('c1', { exchange: exchange('e1', 'q', [cut]), parent: undefined }, undefined);
    const facts = { ...cut.request, chosen: { effort: 'max' } } as const;
    history.finish('c1', 'e1', { ...cut, request: facts }, PRICES);
    assert.deepEqual([history.costSince(0), history.estimatedSince(0)], [0, 0]);
  });

  it('keeps the cost of a deleted conversation, without its title', async () => {
    const history = open(await makeFolder());
    const one = conversation('c1', [exchange('e1', 'q', [completeTurn()])]);
    history.putHeader(one);
    history.putExchange(
      'c1',
      { exchange: one.exchanges[0] ?? exchange('e', '', []), parent: undefined },
      PRICES,
    );
    history.remove('c1');
    assert.equal(history.byConversation(0)[0]?.title, undefined);
    assert.ok(history.costSince(0) > 0);
  });
});

describe('A turn whose window was killed while it streamed', () => {
  const running = (more: Partial<Turn> = {}): Turn => {
    const turn = halfTurn();
    const costBasis = { inputCosts: [0.25], prices: PRICES, ratio: 1 };
    return { ...turn, timings: { ...turn.timings, connected: 1 }, costBasis, ...more };
  };
  /** The text of `halfTurn`: 9 and 11 characters. */
  const COST = 0.25 + (5 * PRICES.output) / 1_000_000;
  /** As a window leaves it that is killed. */
  async function leave(turn: Turn): Promise<string> {
    const folder = await makeFolder();
    const history = open(folder);
    storeOn(history).put(withTurn(turn), 'e1');
    history.rewrite(turn);
    return folder;
  }

  it('has its estimated cost in the account when it is found, once in all windows', async () => {
    const folder = await leave(running());
    const windows = [storeOn(open(folder)), storeOn(open(folder))];
    for (const window of windows) {
      const [turn] = window.get('c1')?.exchanges[0]?.attempts ?? [];
      assert.deepEqual(
        [turn?.outcome, turn?.estimatedCost, turn?.costBasis],
        ['interrupted', COST, undefined],
      );
    }
    for (const window of [...windows, storeOn(open(folder))])
      assert.deepEqual([window.costSince(0), window.estimatedSince(0)], [COST, COST]);
  });

  it('has its estimated cost in the account before anybody opens its conversation, and if that is deleted', async () => {
    for (const isDeleted of [false, true]) {
      const folder = await leave(running());
      const history = open(folder);
      if (isDeleted) history.remove('c1');
      const windows = [storeOn(history), storeOn(open(folder))];
      for (const window of windows)
        assert.deepEqual([window.costSince(0), window.estimatedSince(0)], [COST, COST]);
      assert.deepEqual(history.outcomes(0), [{ outcome: 'interrupted', turns: 1 }]);
      windows[1]?.restore('c1');
      const [turn] = windows[1]?.get('c1')?.exchanges[0]?.attempts ?? [];
      assert.deepEqual([turn?.outcome, turn?.estimatedCost], ['interrupted', COST]);
      assert.equal(windows[0]?.costSince(0), COST);
    }
  });

  it('counts in other windows while its window runs, with the rounds that were reported, and once when it ends', async () => {
    const folder = await makeFolder();
    const written = open(folder);
    const here = storeOn(written);
    const history = open(folder);
    const there = storeOn(history);
    assert.equal(here.take('c1'), undefined);
    const sums = () => [here, there].map((store) => [store.costSince(0), store.estimatedSince(0)]);
    const roundCost = costOf(completeTurn(), PRICES) ?? assert.fail();
    const rounds = [toRound(completeTurn(), [], 10)];
    const costBasis = { inputCosts: [1, 0.25], prices: PRICES, ratio: 1 };
    const turn = running({ rounds, tries: 1, costBasis });
    here.put(withTurn(turn), 'e1');
    written.putRound('c1', 't1', 0, rounds[0] ?? assert.fail());
    written.rewrite(turn);
    const [own, others] = sums();
    assert.deepEqual(own, [0, 0], 'its window counts what runs there');
    assert.deepEqual(others, [roundCost + COST, COST]);
    assert.equal(there.get('c1')?.exchanges[0]?.attempts[0]?.outcome, undefined);
    assert.equal(history.costSince(0), 0);
    // Deleted there, it still runs.
    there.remove('c1');
    assert.deepEqual(sums()[1], others);
    there.restore('c1');
    const ended: Turn = { ...completeTurn(), id: 't1', rounds, tries: 1 };
    here.put(withTurn(ended), 'e1');
    here.release('c1');
    for (const sum of sums()) assert.deepEqual(sum, [2 * roundCost, 0]);
  });

  it('is added up in other windows without reading the rest of its conversation', async () => {
    const folder = await makeFolder();
    const written = open(folder);
    const here = storeOn(written);
    here.take('c1');
    const [earlier, later] = [{ ...completeTurn(), id: 't0' }, running()];
    const exchanges = [exchange('e1', 'Why?', [earlier]), exchange('e2', 'And?', [later])];
    for (const { id } of exchanges) here.put(conversation('c1', exchanges), id);
    written.rewrite(later);
    const history = open(folder);
    const read: string[] = [];
    const there = storeOn({
      ...history,
      loadAny(id) {
        read.push(id);
        return history.loadAny(id);
      },
    });
    const recorded = costOf(earlier, PRICES) ?? assert.fail();
    assert.deepEqual([there.costSince(0), there.estimatedSince(0)], [recorded + COST, COST]);
    assert.deepEqual(read, []);
    here.dispose();
  });

  it('costs what it really did if its window goes on after all', async () => {
    const folder = await leave(running());
    const there = storeOn(open(folder));
    there.get('c1');
    assert.equal(there.costSince(0), COST);
    const { costBasis, ...ended } = running(completeTurn());
    open(folder).finish('c1', 'e1', { ...ended, id: 't1', startedAt: 1000 }, PRICES);
    assert.deepEqual([there.costSince(0), there.estimatedSince(0)], [costOf(completeTurn(), PRICES), 0]);
  });

  it('costs nothing if its request had not arrived, or nothing is known about its cost', async () => {
    const { costBasis, ...earlier } = running();
    const begun: Turn = { ...createTurn('t1', 1000, FACTS), ...(costBasis && { costBasis }) };
    for (const turn of [begun, earlier]) {
      const there = storeOn(open(await leave(turn)));
      assert.equal(there.get('c1')?.exchanges[0]?.attempts[0]?.outcome, 'interrupted');
      assert.equal(there.costSince(0), 0);
    }
  });

  describe('of another chat, which is in no conversation', () => {
    const OTHER = 'other chats';
    let folder: string;
    /** Windows on one database, each with whether the others seem to run to it. */
    async function at(...isAlive: readonly boolean[]) {
      folder = await makeFolder();
      return isAlive.map((alive) => {
        const opened = openHistory({
          folder,
          place: 'a window',
          isAlive: () => alive,
          onSetAside: () => assert.fail('set aside'),
          onWrong: assert.fail,
        });
        assert.ok(opened.ok);
        opens.push(opened.history);
        return { history: opened.history, store: storeOn(opened.history) };
      });
    }
    const opens: History[] = [];
    afterEach(() => {
      for (const history of opens.splice(0)) history.close();
    });
    /**
     * Two windows whose clock can be set.
     *
     * @param machines those of the windows, whose home folder is the same
     */
    async function atSameClock(isAlive = true, machines: readonly string[] = ['laptop', 'laptop']) {
      const clock = { now: 1_000_000, elapsed: 0 };
      folder = await makeFolder();
      const windows = machines.map((machine) => {
        const opened = openHistory({
          folder,
          place: 'a window',
          machine,
          now: () => clock.now,
          elapsed: () => clock.elapsed,
          isAlive: () => isAlive,
          onSetAside: () => assert.fail('set aside'),
          onWrong: assert.fail,
        });
        assert.ok(opened.ok);
        opens.push(opened.history);
        return storeOn(opened.history);
      });
      const [here = assert.fail(), there = assert.fail()] = windows;
      return { clock, here, there, recorded: () => opens[0]?.costSince(0) };
    }
    /** As it would have ended. */
    const assumed = (): Turn => {
      const { costBasis, ...turn } = running({
        outcome: 'interrupted',
        windowClosed: true,
        estimatedCost: COST,
      });
      return turn;
    };

    it('is in the account once, with its outcome, when its window was killed', async () => {
      const windows = await at(true, false, false);
      const [killed, here, there] = windows;
      killed?.store.beginSpend(OTHER, { ...assumed(), estimatedCost: 0.1 });
      killed?.store.beginSpend(OTHER, assumed());
      assert.equal(killed?.store.costSince(0), 0, 'its window counts what runs there');
      for (const window of [here, there, here])
        assert.deepEqual([window?.store.costSince(0), window?.store.estimatedSince(0)], [COST, COST]);
      assert.deepEqual(here?.history.outcomes(0), [{ outcome: 'interrupted', turns: 1 }]);
      assert.deepEqual(
        here?.history.byConversation(0).map((row) => [row.conversationId, row.unreported]),
        [[OTHER, 1]],
      );
    });

    it('is in the account also behind a row that a later version wrote, and one that is damaged', async () => {
      const [killed, here] = await at(true, false);
      killed?.store.beginSpend(OTHER, assumed());
      const database = new (findSqlite() ?? assert.fail()).DatabaseSync(join(folder, 'conversations.db'));
      const later = JSON.stringify({ spend: { turnId: 'later', extra: 1 }, estimate: 1 });
      const put = database.prepare(
        'INSERT INTO begun_spend (rowid, turn_id, pid, record) VALUES (?, ?, 1, ?)',
      );
      put.run(-2, 'damaged', '{"spend":');
      put.run(-1, 'later', later);
      database.close();
      assert.equal(here?.store.costSince(0), COST);
    });

    it('costs what it really did when it ends, also after another window took its own for dead', async () => {
      for (const isTaken of [false, true]) {
        const windows = await at(true, false);
        const [here, there] = windows;
        here?.store.beginSpend(OTHER, assumed());
        if (isTaken) assert.equal(there?.store.costSince(0), COST);
        here?.store.putSpend(OTHER, { ...completeTurn(), id: 't1', startedAt: 1000 });
        for (const window of windows)
          assert.deepEqual(
            [window.store.costSince(0), window.store.estimatedSince(0)],
            [costOf(completeTurn(), PRICES), 0],
          );
        assert.equal(here?.history.outcomes(0)[0]?.outcome, 'complete');
      }
    });

    it('is counted once when it ends in a conversation of the day', async () => {
      const windows = await at(true, false);
      const [here, there] = windows;
      here?.store.beginSpend(OTHER, assumed());
      here?.store.put(withTurn({ ...completeTurn(), id: 't1' }), 'e1');
      assert.equal(there?.store.costSince(0), costOf(completeTurn(), PRICES));
    });

    it('is in the account soon when its window was killed and its process number is that of another process', async () => {
      const { clock, here, there, recorded } = await atSameClock();
      here.beginSpend(OTHER, assumed());
      assert.deepEqual([there.costSince(0), recorded()], [COST, 0], 'it may run');
      clock.now += 11_000;
      assert.deepEqual([there.costSince(0), there.estimatedSince(0)], [COST, COST]);
      assert.equal(recorded(), COST);
    });

    it('counts elsewhere while it may run on another machine, whose processes can’t be seen', async () => {
      const { clock, here, there, recorded } = await atSameClock(false, ['server', 'laptop']);
      here.beginSpend(OTHER, assumed());
      assert.deepEqual([there.costSince(0), recorded()], [COST, 0]);
      clock.now += 11_000;
      assert.deepEqual([there.costSince(0), recorded()], [COST, COST], 'it was killed');
    });

    it('is not in the account while its window waits for text and goes on looking for changes, but counts elsewhere', async () => {
      const { clock, here, there, recorded } = await atSameClock();
      here.beginSpend(OTHER, assumed());
      for (let n = 0; n < 12; n++) {
        clock.now += 2000;
        here.poll();
        assert.deepEqual([there.costSince(0), there.estimatedSince(0)], [COST, COST], `after ${n} looks`);
        assert.deepEqual([here.costSince(0), recorded()], [0, 0], `after ${n} looks`);
      }
      here.putSpend(OTHER, { ...completeTurn(), id: 't1', startedAt: 1000 });
      clock.now += 11_000;
      assert.deepEqual([there.costSince(0), there.estimatedSince(0)], [costOf(completeTurn(), PRICES), 0]);
    });

    it('is in the account as it was last when its window slept, went on, and was then killed', async () => {
      const { clock, here, there } = await atSameClock();
      here.beginSpend(OTHER, { ...assumed(), estimatedCost: 0.1 });
      clock.now += 60_000;
      assert.equal(there.costSince(0), 0.1);
      here.beginSpend(OTHER, assumed());
      assert.equal(there.costSince(0), 0.1);
      clock.now += 11_000;
      for (const window of [there, storeOn(open(folder)), there])
        assert.deepEqual([window.costSince(0), window.estimatedSince(0)], [COST, COST]);
    });

    it('is not in the account while it runs in a window that slept, or whose clock was set back, and then adds up', async () => {
      const { clock, here, there, recorded } = await atSameClock();
      here.beginSpend(OTHER, assumed());
      clock.now += 60_000;
      assert.equal(here.costSince(0), 0, 'after it slept');
      here.poll();
      assert.deepEqual([there.costSince(0), recorded()], [COST, 0]);
      clock.now -= 3_600_000;
      assert.equal(here.costSince(0), 0, 'after the clock was set back');
      here.poll();
      assert.deepEqual([there.costSince(0), recorded()], [COST, 0]);
      here.putSpend(OTHER, { ...completeTurn(), id: 't1', startedAt: 1000 });
      assert.deepEqual([there.costSince(0), there.estimatedSince(0)], [costOf(completeTurn(), PRICES), 0]);
    });

    it('is in the account without the estimate from before, when its usage arrived and its window was then killed', async () => {
      const { clock, here, there } = await atSameClock();
      here.beginSpend(OTHER, assumed());
      clock.now += 60_000;
      assert.equal(there.estimatedSince(0), COST);
      here.beginSpend(OTHER, { ...completeTurn(), id: 't1', startedAt: 1000 });
      clock.now += 11_000;
      assert.deepEqual([there.costSince(0), there.estimatedSince(0)], [costOf(completeTurn(), PRICES), 0]);
    });

    it('is in the account soon when the clock was set back after its window was killed', async () => {
      const { clock, here, there, recorded } = await atSameClock();
      here.beginSpend(OTHER, assumed());
      clock.now -= 3_600_000;
      assert.deepEqual([there.costSince(0), recorded()], [COST, 0], 'it may run');
      clock.elapsed += 10_000;
      assert.deepEqual([there.costSince(0), recorded()], [COST, COST]);
    });

    it('is in the account also when an earlier version kept it, which has only its process number', async () => {
      const [killed, here] = await at(true, false);
      killed?.store.beginSpend(OTHER, assumed());
      const database = new (findSqlite() ?? assert.fail()).DatabaseSync(join(folder, 'conversations.db'));
      database.exec("UPDATE begun_spend SET record = json_remove(record, '$.window', '$.until')");
      database.close();
      assert.deepEqual([killed?.store.costSince(0), here?.store.costSince(0)], [0, COST]);
    });
  });
});
