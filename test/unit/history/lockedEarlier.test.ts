/** A database of an earlier version, to which another program writes for a while when the window starts. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { type History, openHistory } from '../../../src/history/history.ts';
import { findSqlite } from '../../../src/history/sqlite.ts';
import { completeTurn } from '../conversation/turns.ts';
import { makeFolder, open, PRICES } from './support.ts';

const { DatabaseSync } = findSqlite() ?? assert.fail();

describe('A database of an earlier version that another program writes to', () => {
  const opened: History[] = [];
  afterEach(() => {
    for (const history of opened.splice(0)) history.close();
  });

  /** @param change makes it one of an earlier version */
  async function locked(change: string) {
    const folder = await makeFolder();
    open(folder).close();
    const other = new DatabaseSync(join(folder, 'conversations.db'));
    const triggers = other.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'listed_%'",
    );
    for (const { name } of triggers.all()) other.exec(`DROP TRIGGER ${String(name)}`);
    other.exec(`DROP TABLE listed_change; ${change}`);
    // It can be read meanwhile.
    other.exec('BEGIN IMMEDIATE');
    const result = openHistory({
      folder,
      place: 'a window',
      waitMs: 20,
      onSetAside: () => assert.fail('set aside'),
      onWrong: assert.fail,
    });
    assert.ok(result.ok);
    opened.push(result.history);
    return { folder, other, history: result.history };
  }

  it('is copied once, when it can be migrated', async () => {
    const { folder, other, history } = await locked('DROP TABLE unsent; PRAGMA user_version = 3');
    const copies = async () => (await readdir(folder)).filter((name) => name.includes('.version-3'));
    for (let n = 0; n < 3; n++) history.version();
    assert.deepEqual([history.isOpen(), await copies()], [false, []]);
    other.close();
    history.version();
    assert.deepEqual([history.isOpen(), await copies()], [true, ['conversations.db.version-3']]);
  });

  it('has what turns cost that end afterwards, also for the next window', async () => {
    const { folder, other, history } = await locked('DROP TABLE begun_spend; DROP TABLE estimated_spend');
    other.close();
    history.version();
    assert.equal(history.isOpen(), true);
    history.putSpend('c1', { ...completeTurn(), usage: undefined, estimatedCost: 0.5 }, PRICES);
    assert.deepEqual([history.estimatedSince(0), open(folder).estimatedSince(0)], [0.5, 0.5]);
  });
});
