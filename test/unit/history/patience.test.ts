/** A database that another program locks for longer than windows lock it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { createPatience } from '../../../src/history/patience.ts';
import { findSqlite } from '../../../src/history/sqlite.ts';
import { judgeStored, openStoreWindow, playTurn, WHOLE_TEXT } from '../../faults/store/turn.ts';
import { makeFolder } from './support.ts';

describe('A locked database', () => {
  it('is waited for once, and then hardly, because nothing else happens meanwhile', () => {
    let clock = 0;
    const set: string[] = [];
    const patience = createPatience({ exec: (sql) => void set.push(sql.replace(/.* /, '')) }, () => clock);
    const at = (ms: number) => {
      clock = ms;
      patience.begin();
    };
    at(0);
    at(1);
    patience.giveUp();
    at(2);
    at(4000);
    at(5001);
    patience.giveUp();
    at(5002);
    at(10_002);
    at(65_002);
    assert.deepEqual(set, ['2000', '20', '200', '20', '200', '2000']);
  });

  it('gets all of a turn that ran meanwhile, which is told', async () => {
    const folder = await makeFolder();
    const { store, troubles } = openStoreWindow(folder);
    await playTurn(store, 'c0');
    const other = new (findSqlite() ?? assert.fail()).DatabaseSync(join(folder, 'conversations.db'));
    other.exec('BEGIN IMMEDIATE');
    await playTurn(store, 'c1', () => void store.poll());
    assert.equal(store.get('c1')?.exchanges[0]?.attempts[0]?.answer, WHOLE_TEXT.answer);
    assert.equal(store.trouble(), 'busy');
    other.exec('COMMIT');
    other.close();
    store.poll();
    store.dispose();
    assert.ok(troubles.includes('busy'));
    assert.deepEqual(judgeStored(folder, 'c1').violations, []);
  });
});
