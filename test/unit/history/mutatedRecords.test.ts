import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import { createConversationStore } from '../../../src/history/conversationStore.ts';
import { parseExport, toExport } from '../../../src/history/exportedJson.ts';
import { type History, openHistory } from '../../../src/history/history.ts';
import {
  damageJson,
  damageText,
  type JsonDamage,
  jsonDamage,
  runsOf,
  type TextDamage,
  textDamage,
} from '../../support/mutations.ts';
import { calling, runWith, toolboxOf } from '../conversation/toolTurns.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, exchange, PRICES } from './support.ts';

const IMAGE = { name: 'a.png', url: 'data:image/png;base64,AAAA' };
const { turn: WITH_TOOLS } = await runWith([calling(['read', '{"of":"a"}'])], toolboxOf(['read']));

/** A conversation with everything that can be stored. */
function full(id: string): Conversation {
  const of = (name: string) => ({ ...completeTurn(`Answer ${name}.`), id: `${id}-${name}` });
  const second = exchange(`${id}-e2`, 'And then?', [of('b'), of('c')], 1);
  return conversation(
    id,
    [
      {
        ...exchange(`${id}-e1`, 'Why?', [of('a'), { ...WITH_TOOLS, id: `${id}-tools` }]),
        question: {
          text: 'Why?',
          images: [IMAGE],
          context: [{ kind: 'file', label: 'a.ts', parts: [{ label: 'a.ts', text: 'let a;' }] }],
          origin: { uri: 'file:///a.ts', startLine: 1, endLine: 2, text: 'let a;' },
        },
      },
    ],
    { branches: [{ after: `${id}-e1`, exchanges: [second] }] },
  );
}

let filled = '';
before(() => {
  filled = mkdtempSync(join(tmpdir(), 'k3-fuzz-'));
  open(filled, fill);
});
after(() => rmSync(filled, { recursive: true, force: true }));

/** A copy of the filled database in a new folder, which is deleted afterwards. */
function withFolder(run: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'k3-fuzz-'));
  try {
    cpSync(filled, folder, { recursive: true });
    run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function open<Result>(folder: string, look: (history: History, wrong: readonly string[]) => Result): Result {
  const wrong: string[] = [];
  const opened = openHistory({
    folder,
    place: 'a window',
    onSetAside: () => assert.fail('the database was set aside'),
    onWrong: (what) => wrong.push(what),
  });
  assert.ok(opened.ok);
  try {
    return look(opened.history, wrong);
  } finally {
    opened.history.close();
  }
}

const storeOf = (history: History) =>
  createConversationStore({
    history,
    prices: () => PRICES,
    onTrouble: (trouble, error) => assert.equal(trouble, undefined, String(error)),
    onFailure: (what, error) => assert.fail(`${what}: ${String(error)}`),
  });

function fill(history: History): void {
  const store = storeOf(history);
  for (const id of ['c1', 'c2']) {
    store.putCopy(full(id));
    store.putDraft(id, `The draft of ${id}`);
    store.enqueue(id, { id: `q-${id}`, question: { text: 'Queued', images: [IMAGE], origin: undefined } });
    history.putUnsent(id, { images: [IMAGE], editing: { exchangeId: `${id}-e1`, text: 'Why not?' } });
  }
}

const textsOf = (one: Conversation | undefined) =>
  [...(one?.exchanges ?? []), ...(one?.branches ?? []).flatMap(({ exchanges }) => exchanges)]
    .flatMap(({ question, attempts }) => [
      question.text,
      ...attempts.flatMap((turn) => [turn.answer, turn.reasoning]),
    ])
    .toSorted();

/** The JSON that is stored of a conversation, and where. */
const RECORDS = [
  { table: 'exchange', column: 'question', where: "conversation_id = 'c1'" },
  { table: 'turn', column: 'record', where: "conversation_id = 'c1'" },
  { table: 'round', column: 'record', where: "turn_id LIKE 'c1%'" },
  { table: 'conversation', column: 'queue', where: "id = 'c1'" },
  { table: 'conversation', column: 'routes', where: "id = 'c1'" },
  { table: 'unsent', column: 'record', where: "conversation_id = 'c1'" },
];

/** Damaged JSON, as text. */
function damaged(json: string, damage: JsonDamage | TextDamage): string {
  if (!('how' in damage)) return damageText(json, damage).text;
  return JSON.stringify(damageJson(JSON.parse(json), damage)) ?? 'null';
}

describe('A damaged record', () => {
  it('is read as far as it can be, named when it is no JSON, and all others stay', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...RECORDS),
        fc.nat(5),
        fc.oneof(jsonDamage, textDamage),
        ({ table, column, where }, which, damage) =>
          withFolder((folder) => {
            const earlier = open(folder, (history) => [textsOf(history.load('c1')), readAll(history, 'c2')]);
            const db = new DatabaseSync(join(folder, 'conversations.db'));
            const rows = db
              .prepare(`SELECT rowid AS n, ${column} AS json FROM ${table} WHERE ${where}`)
              .all();
            const row = rows[which % rows.length];
            assert.ok(row);
            const json = String(row['json']);
            const next = damaged(json, damage);
            db.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(
              next ?? 'null',
              row['n'] ?? 0,
            );
            db.close();
            open(folder, (history, wrong) => {
              readAll(history, 'c1');
              assert.deepEqual([textsOf(history.load('c1')), readAll(history, 'c2')], earlier);
              if (!isJson(next)) assert.ok(wrong.length > 0, `nobody is told of ${next}`);
            });
            // Written again, it is as readable as before.
            open(folder, (history) => {
              const store = storeOf(history);
              const one = store.get('c1');
              assert.ok(one);
              store.put({ ...one, title: 'Another title' }, 'c1-e1');
              assert.deepEqual(textsOf(history.load('c1')), earlier[0]);
            });
          }),
      ),
      runsOf(8),
    );
  }).timeout(3_600_000);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Everything that is kept of a conversation, and the list. */
function readAll(history: History, id: string): unknown {
  const listed = history.list().find((one) => one.id === id);
  return JSON.parse(
    JSON.stringify([listed, history.load(id), history.queue(id), history.draft(id), history.unsent(id)]),
  );
}

describe('A damaged export', () => {
  it('is imported whole, or refused with the field that is wrong, and what is there stays', () => {
    const text = toExport(full('c3'), 1);
    fc.assert(
      fc.property(fc.oneof(jsonDamage, textDamage), fc.boolean(), (damage, twice) =>
        withFolder((folder) => {
          const file = damaged(text, damage);
          const read = parseExport(file);
          if (!read.ok) {
            if (read.problem.kind === 'invalid') assert.match(read.problem.detail, /should be/);
            return;
          }
          open(folder, (history) => {
            const earlier = [readAll(history, 'c1'), readAll(history, 'c2')];
            const store = storeOf(history);
            let count = 0;
            const options = { createdAt: 1, newId: () => `new-${++count}` };
            for (const one of [...read.conversations, ...(twice ? read.conversations : [])]) {
              const { id } = store.putImported(one, options);
              assert.deepEqual(textsOf(store.get(id)), textsOf(one));
              assert.deepEqual(textsOf(history.load(id)), textsOf(one), 'as it is stored');
            }
            assert.deepEqual([readAll(history, 'c1'), readAll(history, 'c2')], earlier);
            assert.equal(history.costSince(0), 0, 'an import costs nothing');
          });
        }),
      ),
      runsOf(15),
    );
  }).timeout(3_600_000);
});
