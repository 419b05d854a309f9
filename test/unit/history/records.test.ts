import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { Question } from '../../../src/conversation/question.ts';
import { toPrefix } from '../../../src/conversation/requestMessages/prefix.ts';
import { createConversationStore } from '../../../src/history/conversationStore.ts';
import {
  fromQuestionRecord,
  fromQueueRecord,
  fromRoundRecord,
  fromTurnRecord,
  toQuestionRecord,
  toQueueRecord,
  toTurnRecord,
} from '../../../src/history/records.ts';
import { findSqlite } from '../../../src/history/sqlite.ts';
import { completeTurn, SOME_USAGE } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, open, PRICES } from './support.ts';

const TEXT = { reasoning: 'First.\n\nThen.', answer: 'Because.' };

/** The reported problems and the result of reading something. */
function reading<Read>(read: (onWrong: (what: string) => void) => Read): {
  readonly read: Read;
  readonly reported: readonly string[];
} {
  const reported: string[] = [];
  return { read: read((what) => reported.push(what)), reported };
}

const turnFrom = (record: unknown) =>
  reading((onWrong) => fromTurnRecord('t1', JSON.stringify(record), TEXT, [], onWrong));

describe('The record of a turn', () => {
  it('is read when it is of the first version and has none of the later fields', () => {
    const { read, reported } = turnFrom({
      startedAt: 5,
      request: { routeName: 'Direct', routeKind: 'direct', model: 'svc-k3', prefix: [] },
      phase: 'ended',
      outcome: 'complete',
      toolCalls: [],
      timings: { lastLife: 3, lastProgress: 3, ended: 3 },
    });
    assert.deepEqual(reported, []);
    assert.equal(read.answer, 'Because.');
    assert.equal(read.request.effort, undefined);
    assert.deepEqual(read.roundTimes, { startedAt: 0, firstReasoning: undefined, firstAnswer: undefined });
    assert.equal(read.outline.finished.length + (read.outline.current === undefined ? 0 : 1), 2);
  });

  it('keeps fields of later versions', () => {
    const { read, reported } = turnFrom({ ...JSON.parse(toTurnRecord(completeTurn())), mood: 'calm' });
    assert.deepEqual(reported, []);
    assert.equal(JSON.parse(toTurnRecord(read)).mood, 'calm');
  });

  it('keeps optional fields', () => {
    const turn = completeTurn();
    const demo = { ...turn, request: { ...turn.request, demo: true as const } };
    assert.deepEqual(turnFrom(JSON.parse(toTurnRecord(demo))).read.request, demo.request);
    const origin = { uri: 'file:///a.ts', startLine: 1, endLine: 2, text: 'b;\nc;\n' };
    const again = { ...turn, request: { ...turn.request, prompt: 'Now.', origin } };
    assert.deepEqual(turnFrom(JSON.parse(toTurnRecord(again))).read.request, again.request);
    for (const preset of ['none', { name: 'Plan', prompt: 'Plan it.' }] as const) {
      const asked = { ...turn, request: { ...turn.request, preset } };
      const { read, reported } = turnFrom(JSON.parse(toTurnRecord(asked)));
      assert.deepEqual([read.request, reported], [asked.request, []]);
    }
  });

  it('keeps its silences and how long its calls waited, and reads records without them', () => {
    const turn = { ...completeTurn(), silences: [{ from: 2000, to: 9000 }] };
    assert.deepEqual(turnFrom(JSON.parse(toTurnRecord(turn))).read.silences, turn.silences);
    assert.equal('silences' in turnFrom(JSON.parse(toTurnRecord(completeTurn()))).read, false);
    const invalid = turnFrom({ ...JSON.parse(toTurnRecord(turn)), silences: [{ from: 1 }] });
    assert.equal('silences' in invalid.read, false);
    assert.match(invalid.reported.join(), /silences/);
    const toCalls = (waitedMs: unknown) =>
      reading((onWrong) =>
        fromRoundRecord(
          JSON.stringify({
            toolCalls: [{ id: 'c', name: 'read', arguments: '{}', state: 'done', waitedMs }],
          }),
          TEXT,
          onWrong,
        ),
      );
    assert.equal(toCalls(70).read.toolCalls[0]?.waitedMs, 70);
    assert.deepEqual(toCalls(undefined).reported, []);
    assert.equal(toCalls('70').reported.length, 1);
  });

  it('keeps the title of the tool of a call, and reads records without it', () => {
    const toCall = (toolTitle: unknown) =>
      reading((onWrong) =>
        fromRoundRecord(
          JSON.stringify({
            toolCalls: [{ id: 'c', name: 'read', arguments: '{}', state: 'done', toolTitle }],
          }),
          TEXT,
          onWrong,
        ),
      );
    assert.equal(toCall('Echo').read.toolCalls[0]?.toolTitle, 'Echo');
    assert.deepEqual(toCall(undefined).reported, []);
    assert.equal(toCall(70).reported.length, 1);
  });

  it('is read without an invalid field, which is reported', () => {
    const good = JSON.parse(toTurnRecord(completeTurn()));
    const { read, reported } = turnFrom({
      ...good,
      usage: { ...SOME_USAGE, promptTokens: 'many', cachedTokens: null },
      outcome: 'perfect',
      toolCalls: [{ name: 'read' }],
    });
    assert.deepEqual(reported.toSorted(), [
      'a turn: outcome should be one of complete, truncated, spent-on-reasoning, empty, filtered, interrupted, stalled, stopped, failed',
      'a turn: toolCalls[0].id should be text',
      'a turn: usage.cachedTokens should be a number',
      'a turn: usage.promptTokens should be a number',
    ]);
    assert.equal(read.answer, 'Because.');
    assert.deepEqual(read.usage, { ...SOME_USAGE, promptTokens: undefined, cachedTokens: undefined });
    assert.equal(read.outcome, undefined);
    assert.deepEqual(read.toolCalls, []);
    assert.deepEqual(read.request, completeTurn().request);
  });

  it('is read without an estimated cost that is no amount, as a file can have for import', () => {
    const record = toTurnRecord(completeTurn()).replace(/^\{/, '{"estimatedCost":1e999,');
    assert.equal(turnFrom(JSON.parse(record)).read.estimatedCost, undefined);
  });

  it('reads an unknown kind of failure as unknown', () => {
    const failure = { kind: 'eclipse', details: { status: 599 } };
    const { read, reported } = turnFrom({ ...JSON.parse(toTurnRecord(completeTurn())), failure });
    assert.deepEqual(reported, []);
    assert.deepEqual(read.failure, { kind: 'unknown', details: { status: 599 } });
  });

  it('keeps what is valid in the details of a failure', () => {
    const failure = { kind: 'overloaded', details: { status: null, phase: 'dreaming', code: 'busy' } };
    const { read, reported } = turnFrom({ ...JSON.parse(toTurnRecord(completeTurn())), failure });
    assert.deepEqual(read.failure, { kind: 'overloaded', details: { code: 'busy' } });
    assert.equal(reported.length, 2);
    const without = { kind: 'overloaded', details: null };
    assert.deepEqual(turnFrom({ failure: without }).read.failure, { kind: 'overloaded', details: {} });
  });

  it('keeps what is valid in the parameters of the request', () => {
    const { request } = completeTurn('Demo.', { demo: true });
    const prefix = toPrefix({ model: 'svc-k3', messages: [{ role: 'user', content: 'Why?' }] });
    const { read, reported } = turnFrom({ request: { ...request, prefix, effort: 'medium' } });
    assert.deepEqual(read.request, { ...request, prefix });
    assert.deepEqual(reported, ['a turn: request.effort should be one of low, high, max']);
    const unknown = { routeKind: 'tunnel', prefix: 'x0123456' };
    assert.deepEqual(turnFrom({ request: { ...request, ...unknown } }).read.request, {
      ...request,
      routeKind: 'direct',
      prefix: '',
    });
  });

  it('has the same parts of the request when each of them was an object, before the first release', () => {
    const { request } = completeTurn('Demo.');
    const parts = [
      { label: 'model', hash: '0123456789abcdef' },
      { label: 'tools', hash: '1123456789abcdef' },
      { label: 'system', hash: '2123456789abcdef' },
      { label: 'message', hash: '3123456789abcdef' },
    ];
    const { read, reported } = turnFrom({ request: { ...request, prefix: parts } });
    assert.equal(read.request.prefix, 'm0123456t1123456s2123456-3123456');
    assert.deepEqual(reported, []);
    for (const wrong of [
      { label: 'mood', hash: '0123456' },
      { label: 'model', hash: 'h2' },
    ])
      assert.equal(turnFrom({ request: { ...request, prefix: [wrong] } }).read.request.prefix, '');
  });

  for (const record of ['', '{"startedAt": 1', 'null', '[]', '"x"', '7'])
    it(`that is ${JSON.stringify(record)} leaves the text`, () => {
      const { read } = reading((onWrong) => fromTurnRecord('t1', record, TEXT, [], onWrong));
      assert.equal(read.answer, 'Because.');
      assert.equal(read.id, 't1');
    });
});

describe('Other records', () => {
  it('have no times when they are of a round of an earlier version', () => {
    const { read, reported } = reading((onWrong) => fromRoundRecord('{"times": {}}', TEXT, onWrong));
    assert.deepEqual(reported, []);
    assert.deepEqual([read.times.startedAt, read.times.endedAt, read.tries], [0, 0, 1]);
    assert.equal(read.answer, TEXT.answer);
  });

  it('drop a call of a round that cannot be sent again, keep the others, and report why', () => {
    const call = { id: 'a', name: 'read', arguments: '', state: 'done' };
    const { read, reported } = reading((onWrong) =>
      fromRoundRecord(
        JSON.stringify({ toolCalls: [{ ...call, id: 'a' }, { ...call, id: '' }, 7, { ...call, id: 'b' }] }),
        TEXT,
        onWrong,
      ),
    );
    assert.deepEqual(
      read.toolCalls.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.deepEqual(reported, [
      'a round: toolCalls[1].id should be text that is not empty',
      'a round: toolCalls[2] should be an object',
    ]);
  });

  it('keep all that a question has, also while it waits in the queue', () => {
    const origin = { uri: 'file:///w/two/app/a.ts', startLine: 1, endLine: 2, text: 'b', path: 'a.ts' };
    const whole: Required<Question> = {
      text: 'Review it.',
      images: [{ name: 'a.png', url: 'ms://f1', omitted: true }],
      context: [{ kind: 'file', label: 'a.ts', parts: [{ label: 'a.ts', text: 'b' }] }],
      origin,
      more: [origin],
      purpose: 'findings',
      repository: 'file:///w/two/app',
      commit: 'abc',
      revises: 'p1',
      format: { kind: 'json' },
      continues: 't1',
      asked: 'Review Changes',
      effort: 'high',
      tools: ['read_file'],
      keepsResults: true,
      preset: { name: 'Plan', prompt: 'Plan it.' },
    };
    const { record } = toQuestionRecord(whole);
    const stored = fromQuestionRecord(record, whole.text, () => undefined, assert.fail);
    assert.deepEqual(stored, whole);
    // It serializes to the same bytes again.
    assert.equal(toQuestionRecord(stored).record, record);
    const queue = [{ id: 'q1', question: whole }];
    assert.deepEqual(fromQueueRecord(toQueueRecord(queue), assert.fail), queue);
  });

  it('keep the context and the images of a question that can be read', () => {
    const known = { kind: 'file', label: 'a.ts', parts: [] };
    const record = JSON.stringify({
      images: [{ url: 'ms://a' }, { name: 'b', url: 'ms://b' }],
      context: [{ kind: 'weather', label: 'x', parts: [] }, known],
    });
    const { read, reported } = reading((onWrong) =>
      fromQuestionRecord(record, 'Why?', () => undefined, onWrong),
    );
    assert.deepEqual(read.context, [known]);
    assert.deepEqual(read.images, [{ name: 'b', url: 'ms://b' }]);
    assert.equal(reported.length, 2);
    const waiting = reading((onWrong) =>
      fromQueueRecord(JSON.stringify([{ text: 'Next?', ...JSON.parse(record) }]), onWrong),
    );
    assert.deepEqual(waiting.read[0]?.question.context, [known]);
    assert.equal(waiting.reported.length, 2);
  });

  it('leave out invalid fields of a question', () => {
    const record = JSON.stringify({
      images: [{ name: 'a', hash: 'h1' }, { name: 'b', url: 'ms://b' }, { name: 'lost' }],
      context: [{ kind: 'weather', label: 'x', parts: [] }],
      purpose: 'tests',
      format: { kind: 'schema', name: 'x' },
    });
    const { read, reported } = reading((onWrong) =>
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
    assert.deepEqual(reported.toSorted(), [
      'a question: context[0].kind should be one of file, folder, symbol, selection, problems, changes, terminal, instructions',
      'a question: format.schema should be there',
    ]);
  });

  it('keep the context when the reason for leaving out a file is unknown', () => {
    const item = { kind: 'folder', label: 'src', parts: [{ label: 'a.ts', text: 'let a;' }] };
    const record = (why: unknown) =>
      JSON.stringify({ images: [], context: [{ ...item, omitted: [{ label: 'b.ts', why }] }] });
    for (const why of ['haunted', 7, null]) {
      const { read } = reading((onWrong) =>
        fromQuestionRecord(record(why), 'Why?', () => undefined, onWrong),
      );
      assert.deepEqual(read.context, [{ ...item, omitted: [{ label: 'b.ts', why: 'unreadable' }] }]);
    }
  });

  it('are not changed in the database by a save when a part of them is invalid', async () => {
    const folder = await makeFolder();
    const first = open(folder);
    const one = conversation('c1', [exchange('e1', 'Why?', [completeTurn()])]);
    first.putHeader(one);
    for (const each of one.exchanges) first.putExchange('c1', { exchange: each, parent: undefined }, PRICES);
    first.close();
    const sqlite = findSqlite();
    assert.ok(sqlite);
    const db = new sqlite.DatabaseSync(join(folder, 'conversations.db'));
    db.exec(`UPDATE turn SET record = json_set(record, '$.request.effort', 'medium');
      UPDATE exchange SET question =
        json_set(question, '$.context', json('[{"kind":"weather","label":"x","parts":[]}]'));`);
    const rows = () => [
      db.prepare('SELECT record FROM turn').all(),
      db.prepare('SELECT question FROM exchange').all(),
    ];
    const before = rows();
    const history = open(folder, [], '', () => undefined);
    const store = createConversationStore({
      history,
      prices: () => PRICES,
      onTrouble: () => undefined,
      onFailure: assert.fail,
    });
    const loaded = store.get('c1');
    assert.ok(loaded);
    store.put(loaded, 'e1');
    assert.deepEqual(rows(), before);
    const [changed] = loaded.exchanges;
    assert.ok(changed);
    const images = [{ name: 'a', url: 'ms://a' }];
    store.put({ ...loaded, exchanges: [{ ...changed, question: { ...changed.question, images } }] }, 'e1');
    assert.notDeepEqual(rows()[1], before[1]);
    db.close();
    store.dispose();
  });

  it('give queued questions of earlier versions, which have no id, their position', () => {
    const { read } = reading((onWrong) =>
      fromQueueRecord('[{"text":"a","images":[]},{"id":"q2","text":"b","images":[]}]', onWrong),
    );
    assert.deepEqual(
      read.map(({ id, question }) => [id, question.text]),
      [
        ['0', 'a'],
        ['q2', 'b'],
      ],
    );
  });

  it('leave out invalid queued questions', () => {
    const { read, reported } = reading((onWrong) =>
      fromQueueRecord('[{"text":"a","images":[]},{"text":1,"images":[]}]', onWrong),
    );
    assert.deepEqual(read, [{ id: '0', question: { text: 'a', images: [], origin: undefined } }]);
    assert.deepEqual(reported, ['a waiting question: text should be text']);
    assert.deepEqual(reading((onWrong) => fromQueueRecord('{', onWrong)).read, []);
  });

  it('report the same problem once', async () => {
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
    const reported: string[] = [];
    const history = open(folder, [], '', (what) => reported.push(what));
    assert.equal(history.load('c1')?.exchanges[0]?.attempts.length, 3);
    assert.deepEqual(history.list()[0]?.routes, []);
    assert.deepEqual(
      reported.map((what) => what.replace(/ should.*/, '')),
      ['a turn: phase', 'the routes of a conversation: it'],
    );
  });
});
