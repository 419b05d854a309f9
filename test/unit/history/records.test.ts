import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import {
  fromQuestionRecord,
  fromQueueRecord,
  fromRoundRecord,
  fromTurnRecord,
  toTurnRecord,
} from '../../../src/history/records.ts';
import { findSqlite } from '../../../src/history/sqlite.ts';
import { completeTurn } from '../chat/turns.ts';
import { conversation, exchange, makeFolder, open, PRICES } from './support.ts';

const TEXT = { reasoning: 'First.\n\nThen.', answer: 'Because.' };

/** What is told while something is read, and what is read. */
function reading<Read>(read: (onWrong: (what: string) => void) => Read): {
  readonly read: Read;
  readonly told: readonly string[];
} {
  const told: string[] = [];
  return { read: read((what) => told.push(what)), told };
}

const turnFrom = (record: unknown) =>
  reading((onWrong) => fromTurnRecord('t1', JSON.stringify(record), TEXT, [], onWrong));

describe('The record of a turn', () => {
  it('of the first version, with nothing that came later, is a whole turn', () => {
    const { read, told } = turnFrom({
      startedAt: 5,
      request: { routeName: 'Direct', routeKind: 'direct', model: 'svc-k3', prefix: [] },
      phase: 'ended',
      outcome: 'complete',
      toolCalls: [],
      timings: { lastLife: 3, lastProgress: 3, ended: 3 },
    });
    assert.deepEqual(told, []);
    assert.equal(read.answer, 'Because.');
    assert.equal(read.request.effort, undefined);
    assert.deepEqual(read.roundTimes, { startedAt: 0, firstReasoning: undefined, firstAnswer: undefined });
    assert.equal(read.outline.finished.length + (read.outline.current === undefined ? 0 : 1), 2);
  });

  it('keeps fields of versions to come', () => {
    const { read, told } = turnFrom({ ...JSON.parse(toTurnRecord(completeTurn())), mood: 'calm' });
    assert.deepEqual(told, []);
    assert.equal(JSON.parse(toTurnRecord(read)).mood, 'calm');
  });

  it('keeps what not every turn has', () => {
    const turn = completeTurn();
    const demo = { ...turn, request: { ...turn.request, demo: true as const } };
    assert.deepEqual(turnFrom(JSON.parse(toTurnRecord(demo))).read.request, demo.request);
  });

  it('with a field that is wrong is read without it, and the field is named', () => {
    const good = JSON.parse(toTurnRecord(completeTurn()));
    const { read, told } = turnFrom({
      ...good,
      usage: { promptTokens: 'many' },
      outcome: 'perfect',
      toolCalls: [{ name: 'read' }],
    });
    assert.deepEqual(told.toSorted(), [
      'a turn: outcome should be one of complete, truncated, spent-on-reasoning, empty, filtered, interrupted, stalled, stopped, failed',
      'a turn: toolCalls[0].id should be text',
      'a turn: usage.promptTokens should be a number',
    ]);
    assert.equal(read.answer, 'Because.');
    assert.equal(read.usage, undefined);
    assert.equal(read.outcome, undefined);
    assert.deepEqual(read.toolCalls, []);
    assert.deepEqual(read.request, completeTurn().request);
  });

  it('with a failure of a kind that is not known here has an unknown one', () => {
    const failure = { kind: 'eclipse', details: { status: 599 } };
    const { read, told } = turnFrom({ ...JSON.parse(toTurnRecord(completeTurn())), failure });
    assert.deepEqual(told, []);
    assert.deepEqual(read.failure, { kind: 'unknown', details: { status: 599 } });
  });

  for (const record of ['', '{"startedAt": 1', 'null', '[]', '"x"', '7'])
    it(`that is ${JSON.stringify(record)} leaves the text`, () => {
      const { read } = reading((onWrong) => fromTurnRecord('t1', record, TEXT, [], onWrong));
      assert.equal(read.answer, 'Because.');
      assert.equal(read.id, 't1');
    });
});

describe('Other records', () => {
  it('of a round without a call that could go out again has no calls, and says why', () => {
    const { read, told } = reading((onWrong) =>
      fromRoundRecord('{"toolCalls":[{"id":"","name":"read","arguments":"","state":"done"}]}', TEXT, onWrong),
    );
    assert.deepEqual(read.toolCalls, []);
    assert.deepEqual(told, ['a round: toolCalls[0].id should be text that is not empty']);
  });

  it('of a question leave out what cannot be read', () => {
    const record = JSON.stringify({
      images: [{ name: 'a', hash: 'h1' }, { name: 'b', url: 'ms://b' }, { name: 'lost' }],
      context: [{ kind: 'weather', label: 'x', parts: [] }],
      purpose: 'tests',
      format: { kind: 'schema', name: 'x' },
    });
    const { read, told } = reading((onWrong) =>
      fromQuestionRecord(record, 'Why?', (hash) => `data:image/png;base64,${hash}`, onWrong),
    );
    assert.deepEqual(read, {
      text: 'Why?',
      images: [
        { name: 'a', url: 'data:image/png;base64,h1' },
        { name: 'b', url: 'ms://b' },
      ],
      origin: undefined,
      purpose: 'tests',
    });
    assert.deepEqual(told.toSorted(), [
      'a question: context[0].kind should be one of file, folder, symbol, selection, problems, changes',
      'a question: format.schema should be there',
    ]);
  });

  it('of waiting questions leave out those that cannot be read', () => {
    const { read, told } = reading((onWrong) =>
      fromQueueRecord('[{"text":"a","images":[]},{"text":1,"images":[]}]', onWrong),
    );
    assert.deepEqual(read, [{ text: 'a', images: [], origin: undefined }]);
    assert.deepEqual(told, ['a waiting question: text should be text']);
    assert.deepEqual(reading((onWrong) => fromQueueRecord('{', onWrong)).read, []);
  });

  it('that are wrong in the same way are told once', async () => {
    const folder = await makeFolder();
    const turns = ['t1', 't2', 't3'].map((id) => ({ ...completeTurn(), id }));
    const first = open(folder);
    const one = conversation('c1', [exchange('e1', 'Why?', turns)]);
    first.putHeader(one);
    for (const each of one.exchanges) first.putExchange('c1', { exchange: each, parent: undefined }, PRICES);
    const sqlite = findSqlite();
    assert.ok(sqlite);
    const db = new sqlite.DatabaseSync(join(folder, 'conversations.db'));
    db.exec(`UPDATE turn SET record = json_set(record, '$.phase', 'asleep');
      UPDATE conversation SET routes = '{}';`);
    db.close();
    const told: string[] = [];
    const history = open(folder, [], '', (what) => told.push(what));
    assert.equal(history.load('c1')?.exchanges[0]?.attempts.length, 3);
    assert.deepEqual(history.list()[0]?.routes, []);
    assert.deepEqual(
      told.map((what) => what.replace(/ should.*/, '')),
      ['a turn: phase', 'the routes of a conversation: it'],
    );
  });
});
