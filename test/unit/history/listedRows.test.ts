/** The list of conversations of a database, of which only the rows are read that have changed. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { History } from '../../../src/history/history.ts';
import { createListedRows } from '../../../src/history/listedRows.ts';
import { type Database, findSqlite } from '../../../src/history/sqlite.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, createFilled, exchange, open, storeOn } from './support.ts';

const asked = (n: number) => {
  const turn = { ...completeTurn(), id: `t${n}`, startedAt: n * 1_000_000 };
  return conversation(`c${n}`, [exchange(`e${n}`, 'Why?', [turn])]);
};
const COUNT = 30;
const queued = { id: 'q1', question: { text: 'waits', images: [], origin: undefined } };
const image = { name: 'a.png', url: 'data:image/png;base64,AAAA' };

/** A database that counts the rows that are read of it. */
function counting(db: Database) {
  const read = { rows: 0 };
  const counted = {
    prepare(sql: string) {
      const statement = db.prepare(sql);
      return {
        all: (...values: (string | number)[]) => {
          const rows = statement.all(...values);
          read.rows += rows.length;
          return rows;
        },
        get: (...values: (string | number)[]) => {
          const row = statement.get(...values);
          if (row !== undefined) read.rows++;
          return row;
        },
      };
    },
  };
  return { db: counted as unknown as Database, read };
}

describe('The list of conversations', () => {
  let folder: string;
  let here: History;
  const makeFirst = createFilled((first) => {
    const store = storeOn(first);
    for (let n = 1; n <= COUNT; n++) store.put(asked(n), `e${n}`);
  });
  beforeEach(async () => {
    folder = await makeFirst();
    here = open(folder);
  });
  const connect = () => new (findSqlite() ?? assert.fail()).DatabaseSync(join(folder, 'conversations.db'));

  it('is read once, and then only what has changed, here or in another window', () => {
    const database = connect();
    try {
      const { db, read } = counting(database);
      const rows = createListedRows(db, assert.fail);
      assert.equal(rows.list().length, COUNT);
      assert.ok(read.rows >= COUNT);
      read.rows = 0;
      assert.equal(rows.list().length, COUNT);
      assert.ok(read.rows <= 2, `${read.rows} rows for nothing`);
      here.rename('c7', 'Another title');
      here.remove('c9');
      read.rows = 0;
      const list = rows.list();
      assert.equal(list.find(({ id }) => id === 'c7')?.title, 'Another title');
      assert.equal(list.length, COUNT - 1);
      assert.ok(read.rows <= 6, `${read.rows} rows for two changes`);
    } finally {
      database.close();
    }
  });

  const changes: Readonly<Record<string, (there: History) => void>> = {
    'a new title': (there) => there.rename('c7', 'Another title'),
    'a pin': (there) => there.pin('c7', true),
    'a deletion': (there) => there.remove('c7'),
    'a restoration': (there) => {
      there.remove('c7');
      here.list();
      there.restore('c7');
    },
    'a deletion for good': (there) => {
      there.remove('c7');
      there.purge(Date.now() + 1000);
    },
    'a new question': (there) => storeOn(there).put(asked(99), 'e99'),
    'the end of a turn, with its cost, and another route': (there) => {
      const turn = { ...completeTurn(), id: 'more', startedAt: 99_000_000 };
      const request = { ...turn.request, routeName: 'Another route' };
      there.putExchange(
        'c7',
        { exchange: exchange('e-more', '?', [{ ...turn, request }]), parent: 'e7' },
        {
          input: 1,
          cachedInput: 1,
          output: 1,
        },
      );
    },
    'the draft of a conversation without a question': (there) => {
      there.putHeader(conversation('empty', []));
      here.list();
      there.putDraft('empty', 'A draft');
    },
    'a draft that is gone': (there) => {
      there.putHeader(conversation('empty', []));
      there.putDraft('empty', 'A draft');
      here.list();
      there.putDraft('empty', '');
    },
    'a title of the user that is the one that it had': (there) => {
      there.putHeader(conversation('empty', []));
      here.list();
      there.putHeader(conversation('empty', [], { named: true }));
    },
    'a queue': (there) => {
      there.putHeader(conversation('empty', []));
      here.list();
      there.changeQueue('empty', () => [queued]);
    },
    'an attachment': (there) => {
      there.putHeader(conversation('empty', []));
      here.list();
      there.putUnsent('empty', { images: [image] });
    },
    'an attachment that is gone': (there) => {
      there.putHeader(conversation('empty', []));
      there.putUnsent('empty', { images: [image] });
      here.list();
      there.putUnsent('empty', { images: [] });
    },
  };
  for (const [name, change] of Object.entries(changes))
    it(`is the same as one that is read as a whole after ${name} in another window, and twice of it`, () => {
      const there = open(folder);
      here.list();
      change(there);
      assert.deepEqual(here.list(), open(folder).list());
      change(there);
      assert.deepEqual(here.list(), open(folder).list());
      assert.deepEqual(there.list(), here.list());
    });

  it('has all changes of a window that changes many conversations', () => {
    here.list();
    const there = open(folder);
    for (let n = 1; n <= COUNT; n++) there.rename(`c${n}`, `Title ${n}`);
    assert.deepEqual(here.list(), open(folder).list());
  });

  it('has what a window with an earlier version of the extension writes', () => {
    here.list();
    const earlier = connect();
    earlier.exec(
      "UPDATE conversation SET title = 'By an earlier version', revision = revision + 1 WHERE id = 'c7'",
    );
    earlier.close();
    assert.equal(here.list().find(({ id }) => id === 'c7')?.title, 'By an earlier version');
  });

  it('is read as a whole where what has changed could not be noted', () => {
    const database = connect();
    const triggers = database.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'listed_%'",
    );
    for (const { name } of triggers.all()) database.exec(`DROP TRIGGER ${String(name)}`);
    const rows = createListedRows(database, assert.fail);
    rows.list();
    here.rename('c7', 'Another title');
    assert.equal(rows.list().find(({ id }) => id === 'c7')?.title, 'Another title');
    database.close();
    // The next window notes it again.
    open(folder).list();
    here.rename('c7', 'A third title');
    assert.equal(
      open(folder)
        .list()
        .find(({ id }) => id === 'c7')?.title,
      'A third title',
    );
  });

  it('has what is noted only since a later version, in a database of an earlier one', () => {
    const database = connect();
    database.exec('DROP TRIGGER listed_named');
    database.close();
    const there = open(folder);
    there.putHeader(conversation('empty', []));
    assert.equal(there.list().length, COUNT);
    here.putHeader(conversation('empty', [], { named: true }));
    assert.equal(there.list().length, COUNT + 1);
  });

  it('notes nothing with each key of a draft', () => {
    const database = connect();
    here.putDraft('c7', 'a');
    const noted = () => database.prepare('SELECT max(number) AS n FROM listed_change').get()?.['n'];
    const before = noted();
    here.putDraft('c7', 'ab');
    here.putDraft('c7', 'abc');
    assert.equal(noted(), before);
    database.close();
  });
});
