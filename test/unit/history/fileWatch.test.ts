/** What other programs do to the files of a database that a window has open: what SQLite does, and what damages it. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { History } from '../../../src/history/history.ts';
import { type Database, findSqlite } from '../../../src/history/sqlite.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, createFilled, exchange, open, storeOn } from './support.ts';

const long = 'some words of an answer that fills pages. '.repeat(60);

describe('A database whose files another program makes shorter while a window has it open', () => {
  let path: string;
  let history: History;
  let other: Database;

  const fill = (from: number, count: number) => fillInto(history, from, count);
  const makeFirst = createFilled((first) => fillInto(first, 0, 30));

  function fillInto(history: History, from: number, count: number): void {
    const store = storeOn(history);
    for (let n = from; n < from + count; n++) {
      const turn = { ...completeTurn(), id: `t${n}`, answer: `${n} ${long}` };
      store.put(conversation(`c${n}`, [exchange(`e${n}`, 'Why?', [turn])]), `e${n}`);
    }
  }
  const logSize = async () => (await stat(`${path}-wal`)).size;

  beforeEach(async () => {
    // Without a log, so that all of the log counts.
    const folder = await makeFirst();
    path = join(folder, 'conversations.db');
    history = open(folder, []);
    other = new (findSqlite() ?? assert.fail()).DatabaseSync(path);
    fill(50, 5);
    history.version();
  });
  afterEach(() => other.close());

  const checkpoint = () => assert.equal(other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'], 0);
  const bySqlite: Readonly<Record<string, () => void>> = {
    'a checkpoint that empties the log': checkpoint,
    'such a checkpoint, after which a window wrote more': () => {
      checkpoint();
      fill(100, 1);
    },
    'such a checkpoint twice': () => {
      checkpoint();
      checkpoint();
    },
    'a vacuum, with such a checkpoint': () => {
      other.exec("DELETE FROM passage WHERE text LIKE '%some words%'; VACUUM");
      checkpoint();
    },
    'a limit for the size of the log': () => {
      other.exec('PRAGMA journal_size_limit = 0; PRAGMA wal_checkpoint(RESTART)');
      other.exec('CREATE TABLE mine (x)');
    },
  };
  for (const [name, act] of Object.entries(bySqlite))
    it(`isn’t checked as a whole, because that was SQLite: ${name}`, async () => {
      const before = [await logSize(), (await stat(path)).size];
      act();
      const after = [await logSize(), (await stat(path)).size];
      assert.ok((after[0] ?? 0) < (before[0] ?? 0), `${before} ${after}`);
      assert.match(history.version(), /^0\//);
      assert.equal(history.list().length >= 30, true);
      fill(200, 1);
      assert.match(history.version(), /^0\//);
    });

  const byOthers: Readonly<Record<string, () => Promise<void>>> = {
    'an emptied log': () => truncate(`${path}-wal`),
    'half a log': async () => truncate(`${path}-wal`, Math.floor((await logSize()) / 2)),
    'a log without its last byte': async () => truncate(`${path}-wal`, (await logSize()) - 1),
    'a log that is emptied after a checkpoint and more changes': async () => {
      checkpoint();
      fill(100, 5);
      history.version();
      await truncate(`${path}-wal`);
    },
    'a log that is deleted when nothing of it counts': async () => {
      checkpoint();
      history.version();
      await unlink(`${path}-wal`);
    },
    'another log in the place of one of which nothing counts': async () => {
      checkpoint();
      history.version();
      await unlink(`${path}-wal`);
      await writeFile(`${path}-wal`, '');
    },
    'half a database': async () => {
      checkpoint();
      await truncate(path, Math.floor((await stat(path)).size / 2 / 4096) * 4096);
    },
    'a database without its last page': async () => {
      checkpoint();
      await truncate(path, (await stat(path)).size - 4096);
    },
    'an earlier, shorter copy in its place': async () => {
      const whole = await readFile(path);
      checkpoint();
      history.version();
      await writeFile(path, whole.subarray(0, 4096));
    },
  };
  for (const [name, act] of Object.entries(byOthers))
    it(`is checked as a whole, because that was not SQLite: ${name}`, async () => {
      await act();
      other.close();
      other = new (findSqlite() ?? assert.fail()).DatabaseSync(':memory:');
      assert.doesNotMatch(history.version(), /^0\/\d/);
    });

  it('is checked as a whole when it can’t be known what the log should have', async () => {
    await writeFile(`${path}-shm`, Buffer.alloc((await stat(`${path}-shm`)).size, 1));
    await truncate(`${path}-wal`, Math.floor((await logSize()) / 2));
    assert.doesNotMatch(history.version(), /^0\/\d/);
  });

  it('keeps the locks of its index while it is looked at', async function () {
    if (!existsSync('/proc/locks')) this.skip();
    const { ino } = await stat(`${path}-shm`);
    checkpoint();
    history.version();
    history.version();
    assert.match(await readFile('/proc/locks', 'utf8'), new RegExp(` ${process.pid} [0-9a-f:]+:${ino} `));
  });
});
