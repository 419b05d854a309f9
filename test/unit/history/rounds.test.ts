import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import { toMessages } from '../../../src/conversation/requestMessages/transcript.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { toLinkedExchanges } from '../../../src/history/branches.ts';
import { createConversationStore } from '../../../src/history/conversationStore.ts';
import { parseExport, toExport } from '../../../src/history/exportedJson.ts';
import type { History } from '../../../src/history/history.ts';
import { findSqlite } from '../../../src/history/sqlite.ts';
import { answering, calling, runWith, toolboxOf } from '../conversation/toolTurns.ts';
import { answer, FACTS, WINDOW_ENDED } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, open, PRICES } from './support.ts';

function put(history: History, one: Conversation): void {
  history.putHeader(one);
  for (const linked of toLinkedExchanges(one.exchanges, one.branches))
    history.putExchange(one.id, linked, PRICES);
  history.putHead(one.id, one.exchanges.at(-1)?.id);
}

/** A turn of two rounds: one with text next to its calls, a failed call, an image, and text that is hard to store. */
async function turnWithRounds(): Promise<Turn> {
  const toolbox = toolboxOf(['read'], async ({ id }) => ({
    text: `\u0000 ☃ \ud800 ${id}`,
    ...(id === 'a' && { images: [{ type: 'image/png', base64: 'iVBORw0KGgo=' }] }),
    ...(id === 'b' && { failed: true }),
  }));
  const [begin, ...rest] = calling(
    ['read', '{"of": "a"}', 'a'],
    ['read', '{"of":1e2}', 'b'],
    ['read', '{"of":"c"}', ''],
  );
  assert.ok(begin);
  const { turn } = await runWith(
    [
      [begin, answer('Let me look at the zebra.'), ...rest],
      calling(['read', '{"of":"\\u2028"}', 'a']),
      answering('There.'),
    ],
    toolbox,
  );
  return turn;
}

const messagesOf = (one: Conversation | undefined) =>
  JSON.stringify(toMessages('', one?.exchanges ?? [], { text: 'And?', images: [] }));

describe('Rounds in the database', () => {
  it('are loaded as stored and sent as the same bytes', async () => {
    const history = open(await makeFolder());
    const one = conversation('c1', [exchange('e1', 'Why?', [await turnWithRounds()])]);
    put(history, one);
    assert.deepEqual(history.load('c1'), one);
    assert.equal(messagesOf(history.load('c1')), messagesOf(one));
  });

  it('have parts that turns share when they are loaded, and each has in the database', async () => {
    const folder = await makeFolder();
    const turnOn = (id: string, prefix: string) => ({ ...createTurn(id, 1, { ...FACTS, prefix }) });
    const [head, more] = ['m0000000t0000000-0000001', '-0000002-0000003'];
    const one = conversation('c1', [
      exchange('e1', 'One?', [turnOn('t1', head)]),
      exchange('e2', 'Two?', [turnOn('t2', head + more), turnOn('t3', `${head}-0000004`)], 1),
      exchange('e3', 'Three?', [turnOn('t4', head + more + more)]),
    ]);
    const history = open(folder);
    put(history, one);
    const loaded = history.load('c1') ?? assert.fail();
    assert.equal(toExport(loaded, 0), toExport(one, 0));
    const [first, second, , last] = loaded.exchanges
      .flatMap(({ attempts }) => attempts)
      .map(({ request }) => request.prefix);
    assert.ok(typeof second === 'object' && typeof last === 'object');
    assert.equal(second.before, first);
    assert.deepEqual([second.added, last.added], [more, more + more]);
    put(history, loaded);
    history.close();
    const { DatabaseSync } = findSqlite() ?? assert.fail();
    const db = new DatabaseSync(join(folder, 'conversations.db'));
    const records = db.prepare('SELECT record FROM turn ORDER BY id').all();
    db.close();
    assert.deepEqual(
      records.map(({ record }) => JSON.parse(String(record)).request.prefix),
      [head, head + more, `${head}-0000004`, head + more + more],
    );
  });

  it('are in a turn without an end that is read without the rest of its conversation', async () => {
    const history = open(await makeFolder());
    const ended = await turnWithRounds();
    const running: Turn = { ...ended, id: 't2', outcome: undefined };
    put(history, conversation('c1', [exchange('e1', 'Why?', [ended]), exchange('e2', 'And?', [running])]));
    put(history, conversation('c2', [exchange('e3', 'Who?', [{ ...running, id: 't3' }])]));
    for (const [position, round] of running.rounds.entries())
      history.putRound('c1', running.id, position, round);
    history.rewrite(running);
    const [turn] = history.load('c1')?.exchanges[1]?.attempts ?? [];
    assert.deepEqual([turn?.answer, turn?.rounds], [ended.answer, ended.rounds]);
    assert.deepEqual(history.unfinishedTurns('c1'), [turn]);
  });

  it('are found by their text', async () => {
    const history = open(await makeFolder());
    put(history, conversation('c1', [exchange('e1', 'Why?', [await turnWithRounds()])]));
    const [hit] = history.search('zebra', 5);
    assert.deepEqual([hit?.ownerId, hit?.part], ['t1', 'answer']);
    assert.equal(history.search('"on to 3"', 5)[0]?.part, 'reasoning');
  });

  it('count the cost of all their requests', async () => {
    const history = open(await makeFolder());
    const turn = await turnWithRounds();
    put(history, conversation('c1', [exchange('e1', 'Why?', [turn])]));
    const single = (2000 - 1792) * 3 + 1792 * 0.3 + 50 * 15;
    assert.ok(Math.abs(history.costSince(0) - (3 * single) / 1_000_000) < 1e-9);
  });

  it('are deleted with their conversation', async () => {
    const history = open(await makeFolder());
    const one = conversation('c1', [exchange('e1', 'Why?', [await turnWithRounds()])]);
    put(history, one);
    history.remove('c1');
    history.purge(Number.MAX_SAFE_INTEGER);
    put(history, { ...one, exchanges: [exchange('e1', 'Why?', [createTurn('t1', 0, FACTS)])] });
    assert.deepEqual(history.load('c1')?.exchanges[0]?.attempts[0]?.rounds, []);
  });

  it('are kept without running calls when the window is killed while a tool runs', async () => {
    const folder = await makeFolder();
    const running: Turn[] = [];
    await runWith(
      [calling(['read', '{"of":"a"}', 'a'], ['read', '{"of":"b"}', 'b']), answering('x')],
      toolboxOf(['read']),
      {
        onTurn: (turn) => running.push(turn),
      },
    );
    const killed = running.find(({ rounds }) => rounds[0]?.toolCalls[0]?.state === 'done');
    assert.ok(killed?.rounds[0]?.toolCalls[1]?.state === 'running');
    const history = open(folder);
    const store = createConversationStore({
      history,
      prices: () => PRICES,
      onTrouble: () => undefined,
      onFailure: assert.fail,
    });
    store.put(conversation('c1', [exchange('e1', 'Why?', [createTurn('t1', 1_000_000, FACTS)])]), 'e1');
    for (const turn of running.slice(0, running.indexOf(killed) + 1))
      store.progress(conversation('c1', [exchange('e1', 'Why?', [turn])]), turn);
    store.dispose();
    const again = createConversationStore({
      history: open(folder),
      prices: () => PRICES,
      onTrouble: () => undefined,
      onFailure: assert.fail,
    });
    const found = again.get('c1')?.exchanges[0]?.attempts[0];
    assert.deepEqual(found, foldTurn(killed, { at: killed.timings.lastLife, event: WINDOW_ENDED }));
    assert.equal(found?.outcome, 'interrupted');
    assert.deepEqual(
      found.rounds[0]?.toolCalls.map(({ state }) => state),
      ['done', 'failed'],
    );
    again.dispose();
  });
});

describe('A round with a call that this version cannot read', () => {
  /** Stores a turn of two rounds. The first call of the first round then gets a state of a later version. */
  async function stored(outcome: string | null = 'complete') {
    const folder = await makeFolder();
    const first = open(folder);
    const one = conversation('c1', [exchange('e1', 'Why?', [await turnWithRounds()])]);
    put(first, one);
    first.close();
    const db = database(folder);
    db.exec(
      `UPDATE round SET record = json_set(record, '$.toolCalls[0].state', 'paused') WHERE position = 0`,
    );
    db.prepare('UPDATE turn SET outcome = ?').run(outcome);
    if (outcome === null) db.exec(`UPDATE turn SET record = json_remove(record, '$.outcome')`);
    db.close();
    return { folder, one };
  }

  function database(folder: string) {
    const sqlite = findSqlite();
    assert.ok(sqlite);
    return new sqlite.DatabaseSync(join(folder, 'conversations.db'));
  }

  const storeOn = (folder: string) =>
    createConversationStore({
      history: open(folder, [], 'a window', () => undefined),
      prices: () => PRICES,
      onTrouble: () => undefined,
      onFailure: assert.fail,
    });

  it('keeps its text, its place, and its other calls', async () => {
    const { folder, one } = await stored();
    const reported: string[] = [];
    const found = open(folder, [], 'a window', (what) => reported.push(what)).load('c1')?.exchanges[0];
    const rounds = one.exchanges[0]?.attempts[0]?.rounds ?? [];
    const others = rounds[0]?.toolCalls.slice(1);
    assert.ok(others && others.length > 0);
    assert.deepEqual(found?.attempts[0]?.rounds, [{ ...rounds[0], toolCalls: others }, rounds[1]]);
    assert.equal(reported.length, 1);
  });

  for (const outcome of ['complete', null])
    it(`is not changed in the database by a save (${outcome ?? 'interrupted'} turn)`, async () => {
      const { folder } = await stored(outcome);
      const rows = () => {
        const db = database(folder);
        const found = [
          db.prepare('SELECT * FROM round ORDER BY position').all(),
          db.prepare("SELECT part, text FROM passage WHERE owner_id = 't1' ORDER BY part").all(),
        ];
        db.close();
        return found;
      };
      const before = rows();
      const store = storeOn(folder);
      const one = store.get('c1');
      assert.ok(one);
      store.put(one, 'e1');
      store.dispose();
      assert.deepEqual(rows(), before);
    });

  it('is sent without that call and its result', async () => {
    const { folder, one } = await stored();
    const [only] = one.exchanges;
    const [turn] = only?.attempts ?? [];
    assert.ok(only && turn);
    const [first, ...more] = turn.rounds;
    assert.ok(first);
    const rounds = [{ ...first, toolCalls: first.toolCalls.slice(1) }, ...more];
    const without = { ...one, exchanges: [{ ...only, attempts: [{ ...turn, rounds }] }] };
    const store = storeOn(folder);
    assert.equal(messagesOf(store.get('c1')), messagesOf(without));
    store.dispose();
  });

  it('can be exported and imported again', async () => {
    const { folder } = await stored();
    const store = storeOn(folder);
    const one = store.get('c1');
    store.dispose();
    assert.ok(one);
    const read = parseExport(toExport(one, 0));
    assert.ok(read.ok, JSON.stringify(read));
    assert.deepEqual(read.conversations, [one]);
  });
});

describe('Rounds in an exported file', () => {
  it('are imported as exported', async () => {
    const one = conversation('c1', [exchange('e1', 'Why?', [await turnWithRounds()])]);
    const read = parseExport(toExport(one, 2));
    assert.ok(read.ok, JSON.stringify(read));
    assert.deepEqual(read.conversations, [one]);
  });

  it('are rejected when a part of them could not be sent again', async () => {
    const turn = await turnWithRounds();
    const [round] = turn.rounds;
    const [call] = round?.toolCalls ?? [];
    assert.ok(round && call);
    const broken = [
      { ...round, toolCalls: [{ ...call, id: '' }] },
      {
        ...round,
        toolCalls: [{ ...call, result: { text: '', images: [{ type: 'text/html', base64: '' }] } }],
      },
      { ...round, reasoning: 1 },
    ];
    for (const one of broken) {
      const json = JSON.stringify({
        ...JSON.parse(toExport(conversation('c1', [exchange('e1', 'q', [turn])]), 0)),
        conversation: conversation('c1', [exchange('e1', 'q', [{ ...turn, rounds: [one] } as Turn])]),
      });
      assert.equal(parseExport(json).ok, false);
    }
  });
});
