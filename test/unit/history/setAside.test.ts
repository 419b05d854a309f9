import assert from 'node:assert/strict';
import fs, { existsSync } from 'node:fs';
import {
  mkdir,
  open as openFile,
  readdir,
  readFile,
  rename,
  rmdir,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { toLinkedExchanges } from '../../../src/history/branches.ts';
import { createConversationStore } from '../../../src/history/conversationStore.ts';
import type { SetAsideReport } from '../../../src/history/database.ts';
import { type History, openHistory } from '../../../src/history/history.ts';
import { findSqlite } from '../../../src/history/sqlite.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, createFilled, exchange, makeFolder, open, PRICES } from './support.ts';

const COUNT = 60;

/** A folder with a database of some hundred pages. */
const makeStore = createFilled((history) => {
  const long = 'some words of an answer that fills pages. '.repeat(60);
  for (let i = 0; i < COUNT; i++) {
    const turn = { ...completeTurn(), id: `t${i}`, answer: `${i} ${long}` };
    const one = conversation(`c${i}`, [exchange(`e${i}`, `question ${i}`, [turn])]);
    history.putHeader(one);
    for (const linked of toLinkedExchanges(one.exchanges, [])) history.putExchange(one.id, linked, PRICES);
  }
});

/** Damages the first page of a table or an index after the middle. */
async function damagePage(path: string): Promise<void> {
  const pages = (await stat(path)).size / 4096;
  const file = await openFile(path, 'r+');
  const page = Buffer.alloc(4096);
  for (let at = Math.floor(pages / 2); at < pages; at++) {
    await file.read(page, 0, 4096, at * 4096);
    if (page[0] === 13 || page[0] === 5 || page[0] === 10) {
      await file.write(
        page.map((byte) => byte ^ 0xff),
        0,
        4096,
        at * 4096,
      );
      break;
    }
  }
  await file.close();
}

const readable = (history: History) =>
  history
    .list()
    .filter(({ id }) => history.load(id)?.exchanges[0]?.attempts[0]?.answer.startsWith(id.slice(1)));

describe('A database that cannot be used', () => {
  it('is set aside when it was truncated, and readable rows are copied to a new one', async () => {
    const folder = await makeStore();
    const path = join(folder, 'conversations.db');
    const { size } = await stat(path);
    await truncate(path, Math.floor(size / 2 / 4096) * 4096);
    const reports: SetAsideReport[] = [];
    const history = open(folder, reports);
    assert.equal(reports[0]?.why, 'damaged');
    assert.equal((await stat(reports[0]?.path ?? '')).size, Math.floor(size / 2 / 4096) * 4096);
    assert.ok(readable(history).length > 5, `${readable(history).length} of ${COUNT}`);
    history.close();
    assert.ok(readable(open(folder, reports)).length > 5);
    assert.equal(reports.length, 1);
  });

  it('keeps its name when what it has can’t be copied, such as on a full disk, and is set aside at the next start', async () => {
    const folder = await makeStore();
    const path = join(folder, 'conversations.db');
    const half = Math.floor((await stat(path)).size / 2 / 4096) * 4096;
    await truncate(path, half);
    // In the place of the copy that is filled with zeros.
    const inTheWay = join(folder, 'conversations-damaged-19700101T000000.db.whole');
    await mkdir(inTheWay);
    const reports: SetAsideReport[] = [];
    const first = openHistory({
      folder,
      place: '',
      now: () => 0,
      onSetAside: (report) => reports.push(report),
      onWrong: assert.fail,
    });
    assert.deepEqual([first.ok, reports, (await stat(path)).size], [false, [], half]);
    await rmdir(inTheWay);
    const history = open(folder, reports);
    assert.equal(reports[0]?.why, 'damaged');
    assert.ok(readable(history).length > 5, `${readable(history).length} of ${COUNT}`);
  });

  it('is told with its path when it was damaged while it was open, and can’t be copied', async () => {
    const folder = await makeStore();
    const path = join(folder, 'conversations.db');
    await mkdir(join(folder, 'conversations-damaged-19700101T000000.db.whole'));
    const reports: SetAsideReport[] = [];
    const opened = openHistory({
      folder,
      place: '',
      now: () => 0,
      onSetAside: (report) => reports.push(report),
      onWrong: assert.fail,
    });
    assert.ok(opened.ok);
    await truncate(path, Math.floor((await stat(path)).size / 2 / 4096) * 4096);
    assert.deepEqual([opened.history.list(), opened.history.isOpen()], [[], true]);
    assert.deepEqual(
      reports.map(({ conversations, lost, path: aside }) => [conversations, lost, existsSync(aside)]),
      [[0, 1, true]],
    );
    opened.history.close();
  });

  it('is set aside when a single byte is missing at its end, also if it is too large for a check at each start', async () => {
    const folder = await makeStore();
    const path = join(folder, 'conversations.db');
    const db = new (findSqlite() ?? assert.fail()).DatabaseSync(path);
    db.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(5000000))');
    db.close();
    const { size } = await stat(path);
    await truncate(path, size - 1);
    const reports: SetAsideReport[] = [];
    const history = open(folder, reports);
    assert.equal(reports[0]?.why, 'damaged');
    assert.equal((await stat(reports[0]?.path ?? '')).size, size - 1);
    assert.equal(readable(history).length, COUNT);
  });

  it('is set aside when a page is damaged, and nearly all rows are copied', async () => {
    const folder = await makeStore();
    const path = join(folder, 'conversations.db');
    const reports: SetAsideReport[] = [];
    await damagePage(path);
    const history = open(folder, reports);
    // A small database is checked when it is opened, before anything of it is shown.
    assert.equal(reports[0]?.why, 'damaged');
    const found = readable(history).length;
    assert.ok(found >= COUNT - 12, `${found} of ${COUNT}`);
    assert.ok((await readdir(folder)).some((name) => /^conversations-damaged-\d{8}T\d{6}\.db$/.test(name)));
  });

  it('is set aside in its folder when a later version wrote it, whatever the folder is called', async () => {
    const folder = await makeStore('a.db files');
    const sqlite = findSqlite();
    assert.ok(sqlite);
    const db = new sqlite.DatabaseSync(join(folder, 'conversations.db'));
    db.exec('PRAGMA user_version = 99; ALTER TABLE turn ADD COLUMN mood TEXT');
    db.close();
    const reports: SetAsideReport[] = [];
    const history = open(folder, reports);
    assert.equal(reports[0]?.why, 'too-new');
    assert.equal(dirname(reports[0].path), folder);
    assert.equal(reports[0]?.conversations, COUNT);
    assert.equal(readable(history).length, COUNT);
  });

  it('is set aside when a row reads as what no table takes, and all other rows are copied', async () => {
    const folder = await makeStore();
    const sqlite = findSqlite();
    assert.ok(sqlite);
    const path = join(folder, 'conversations.db');
    const db = new sqlite.DatabaseSync(path);
    db.exec(`
      CREATE TABLE loose AS SELECT * FROM passage;
      DROP TABLE passage;
      ALTER TABLE loose RENAME TO passage;
      UPDATE passage SET conversation_id = NULL WHERE rowid = 7;
      PRAGMA user_version = 99;
    `);
    db.close();
    const reports: SetAsideReport[] = [];
    const history = open(folder, reports);
    assert.equal(reports[0]?.lost, 1);
    assert.equal(history.list().length, COUNT);
  });

  it('keeps the only row of a page between two damaged pages', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    const texts = Array.from({ length: 12 }, (_, n) => `page-${n} ${'words that fill it '.repeat(180)}`);
    const turns = texts.map((text, n) => ({ ...completeTurn(), id: `t${n}`, answer: text }));
    const one = conversation('c1', [exchange('e1', '', turns)]);
    history.putHeader(one);
    for (const linked of toLinkedExchanges(one.exchanges, [])) history.putExchange(one.id, linked, PRICES);
    history.close();
    const path = join(folder, 'conversations.db');
    // A row for each page.
    const db = new (findSqlite() ?? assert.fail()).DatabaseSync(path);
    db.exec("DELETE FROM passage WHERE part <> 'answer'; VACUUM");
    db.close();
    const damaged = ['page-4 ', 'page-6 '];
    const bytes = await readFile(path);
    for (const mark of damaged)
      bytes.fill(0xff, bytes.indexOf(mark) & -4096, (bytes.indexOf(mark) & -4096) + 8);
    await writeFile(path, bytes);
    const reports: SetAsideReport[] = [];
    const answers = open(folder, reports)
      .load('c1')
      ?.exchanges[0]?.attempts.map(({ answer }) => answer);
    assert.equal(reports[0]?.lost, 2);
    assert.deepEqual(
      texts.filter((text) => !answers?.includes(text)).map((text) => text.slice(0, 7)),
      damaged,
    );
  });

  it('is opened at once after the clock was set back while another window holds its lock', async () => {
    const folder = await makeStore();
    await writeFile(join(folder, 'conversations.db'), 'not a database'.repeat(400));
    await mkdir(join(folder, 'setting-aside.lock'));
    const { now } = Date;
    const monotonic = performance.now;
    let asked = 0;
    Date.now = () => {
      assert.ok(++asked < 20, 'waits until the clock has come back to where it was');
      return now() - asked * 60_000;
    };
    // Ten seconds pass between any two looks at the clock that is never set.
    performance.now = () => monotonic.call(performance) + asked++ * 10_000;
    try {
      assert.equal(
        openHistory({ folder, place: '', onSetAside: () => undefined, onWrong: assert.fail }).ok,
        true,
      );
    } finally {
      Date.now = now;
      performance.now = monotonic;
    }
  });

  it('is set aside when the file is not a database', async () => {
    const folder = await makeStore();
    const file = await openFile(join(folder, 'conversations.db'), 'r+');
    await file.write(Buffer.from('not a database, whatever its name says'), 0, 38, 0);
    await file.close();
    const reports: SetAsideReport[] = [];
    assert.deepEqual(open(folder, reports).list(), []);
    assert.equal(reports[0]?.why, 'damaged');
    assert.equal(reports[0].conversations, 0);
    assert.ok(reports[0].lost > 0, 'something was lost');
  });

  it('is not created when a file has the name of its folder', async () => {
    const folder = await makeFolder();
    await (await openFile(join(folder, 'history'), 'w')).close();
    const opened = openHistory({
      folder: join(folder, 'history'),
      place: '',
      onSetAside: () => undefined,
      onWrong: assert.fail,
    });
    assert.equal(opened.ok, false);
  });
});

describe('A database that another program changes while windows have it open', () => {
  const change: Readonly<Record<string, (path: string) => Promise<void>>> = {
    'cut in half': async (path) => truncate(path, Math.floor((await stat(path)).size / 2)),
    overwritten: async (path) => writeFile(path, Buffer.alloc((await stat(path)).size, 0x5a)),
    'without its log': (path) => truncate(`${path}-wal`),
  };
  for (const [name, act] of Object.entries(change))
    it(`is noticed, and what the windows know is written again: ${name}`, async () => {
      const folder = await makeStore();
      const reports: SetAsideReport[] = [];
      const windows = ['here', 'there'].map((place) => {
        const history = open(folder, reports, place);
        const store = createConversationStore({
          history,
          prices: () => PRICES,
          onTrouble: () => undefined,
          // One can't open it before the other has closed it, and tries again.
          onFailure: (_, error) => assert.match(String(error), /database is not open|finalized/),
        });
        store.put(
          conversation(place, [exchange(place, 'Why?', [{ ...completeTurn(), id: `of ${place}` }])]),
          place,
        );
        return store;
      });
      for (const store of windows) store.poll();
      await act(join(folder, 'conversations.db'));
      for (let n = 0; n < 2; n++) for (const store of windows) store.poll();
      for (const store of windows) store.dispose();
      const later = open(folder, reports);
      for (const place of ['here', 'there'])
        assert.equal(later.load(place)?.exchanges[0]?.attempts[0]?.answer, completeTurn().answer, place);
      assert.ok(reports.length <= 1, 'set aside once');
    });
});

describe('A database that is looked at each second', () => {
  // With POSIX locks, closing any descriptor of a file drops those of SQLite, and others can remove the log that it uses.
  it('keeps its locks', async function () {
    if (!existsSync('/proc/locks')) this.skip();
    const folder = await makeStore();
    const history = open(folder);
    const { ino } = await stat(join(folder, 'conversations.db'));
    history.version();
    history.version();
    assert.match(await readFile('/proc/locks', 'utf8'), new RegExp(` ${process.pid} [0-9a-f:]+:${ino} `));
  });
});

describe('A database that another window sets aside', () => {
  it('is closed by this window, which continues with the new one', async () => {
    const folder = await makeStore();
    const here = open(folder);
    const before = here.version();
    const path = join(folder, 'conversations.db');
    await rename(path, join(folder, 'old.db'));
    for (const companion of ['-wal', '-shm'])
      await rename(path + companion, join(folder, `old.db${companion}`)).catch(() => undefined);
    const there = open(folder);
    assert.deepEqual(there.list(), []);
    assert.notEqual(here.version(), before);
    const one = conversation('fresh', [exchange('e', 'q', [completeTurn()])]);
    here.putHeader(one);
    for (const linked of toLinkedExchanges(one.exchanges, [])) here.putExchange(one.id, linked, PRICES);
    assert.equal(there.list()[0]?.id, 'fresh');
  });
});

describe('A turn that runs while its database is set aside', () => {
  it('is still known to be one of its window, so that no other one ends it or asks beside it', async () => {
    const folder = await makeStore();
    const here = open(folder);
    assert.ok(here.take('c1'));
    const sqlite = findSqlite() ?? assert.fail();
    const later = new sqlite.DatabaseSync(join(folder, 'conversations.db'));
    later.exec('PRAGMA user_version = 99');
    later.close();
    const reports: SetAsideReport[] = [];
    const there = open(folder, reports);
    assert.equal(reports.length, 1);
    assert.deepEqual([there.holder('c1')?.conversationId, there.take('c1')], ['c1', false]);
  });
});

describe('A database of an earlier version', () => {
  const sqlite = findSqlite() ?? assert.fail();
  const toVersion1 = (path: string) => {
    const db = new sqlite.DatabaseSync(path);
    const triggers = db.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'listed_%'",
    );
    for (const { name } of triggers.all()) db.exec(`DROP TRIGGER ${String(name)}`);
    db.exec(
      'DROP TABLE listed_change; DROP TABLE unsent; DROP TABLE round; ALTER TABLE conversation DROP COLUMN queue; PRAGMA user_version = 1',
    );
    db.close();
  };

  it('is migrated, and a copy of it is kept', async () => {
    const folder = await makeStore();
    const path = join(folder, 'conversations.db');
    toVersion1(path);
    const reports: SetAsideReport[] = [];
    const history = open(folder, reports);
    assert.deepEqual(reports, []);
    assert.equal(readable(history).length, COUNT);
    const queued = { id: 'q1', question: { text: 'waits', images: [], origin: undefined } };
    history.changeQueue('c1', () => [queued]);
    assert.equal(history.queue('c1')[0]?.question.text, 'waits');
    const copy = new sqlite.DatabaseSync(`${path}.version-1`, { readOnly: true });
    assert.equal(copy.prepare('SELECT count(*) AS n FROM conversation').get()?.['n'], COUNT);
    assert.equal(copy.prepare('PRAGMA user_version').get()?.['user_version'], 1);
    copy.close();
    assert.equal((await stat(`${path}.version-1`)).mode & 0o777, 0o600);
  });

  it('leaves no part of its copy when that can’t be completed, which would be one more at each start', async () => {
    const folder = await makeStore();
    const path = join(folder, 'conversations.db');
    toVersion1(path);
    await damagePage(path);
    const reports: SetAsideReport[] = [];
    open(folder, reports);
    assert.equal(reports[0]?.why, 'damaged');
    const copies = (await readdir(folder)).filter((name) => name.includes('.version-1'));
    assert.deepEqual(copies, []);
  });

  it('is kept beside the copy of an earlier migration, for example when the old file was put back', async () => {
    const folder = await makeStore();
    const path = join(folder, 'conversations.db');
    for (const copies of [1, 2, 3]) {
      toVersion1(path);
      const history = open(folder);
      assert.equal(readable(history).length, COUNT);
      history.close();
      const found = (await readdir(folder)).filter((name) => name.includes('.version-1'));
      assert.equal(found.length, copies, found.join());
    }
  });
});

describe('A folder on a disk without permissions, such as one with exFAT', () => {
  const { chmodSync, accessSync } = fs;
  const refuse = () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
  };
  afterEach(() => {
    Object.assign(fs, { chmodSync, accessSync });
    syncBuiltinESMExports();
  });

  it('keeps the conversations, which others may be able to read there', async () => {
    Object.assign(fs, { chmodSync: refuse });
    syncBuiltinESMExports();
    const folder = await makeStore();
    assert.equal(readable(open(folder)).length, COUNT);
  });

  it('is said not to be writable if it isn’t', async () => {
    const folder = await makeStore();
    Object.assign(fs, { chmodSync: refuse, accessSync: refuse });
    syncBuiltinESMExports();
    const opened = openHistory({ folder, place: '', onSetAside: () => assert.fail(), onWrong: assert.fail });
    assert.equal(!opened.ok && opened.why, 'read-only');
  });
});
