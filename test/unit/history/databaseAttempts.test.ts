import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { History } from '../../../src/history/history.ts';
import { completeTurn } from '../conversation/turns.ts';
import { makeFolder, open, storeOn, withTurn } from './support.ts';

describe('A failure of the database', () => {
  it('reports a failure of the database once, and again after writing has worked', async () => {
    const real = open(await makeFolder());
    let broken = true;
    const fail = () => {
      if (broken) throw Object.assign(new Error('busy'), { errcode: 5 });
    };
    const limited: History = {
      ...real,
      load: (id) => fail() ?? real.load(id),
      putDraft: (id, draft) => fail() ?? real.putDraft(id, draft),
      putExchange: (...args) => fail() ?? real.putExchange(...args),
    };
    const reported: string[] = [];
    const store = storeOn(limited, [], (what, error) => reported.push(`${what}, ${String(error)}`));
    for (let n = 0; n < 3; n++) {
      assert.equal(store.get('c1'), undefined);
      store.putDraft('c2', 'Half a q');
    }
    const once = ['reading a conversation, Error: busy', 'keeping a draft, Error: busy'];
    assert.deepEqual(reported, once);
    store.put(withTurn(completeTurn()), 'e1');
    broken = false;
    store.put(withTurn(completeTurn()), 'e1');
    broken = true;
    assert.equal(store.get('c3'), undefined);
    assert.deepEqual(reported, [...once, 'reading a conversation, Error: busy']);
    broken = false;
    store.dispose();
  });

  it('reports once that attachments could not be kept, and goes on', async () => {
    const failures: string[] = [];
    const full = () => {
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    };
    const real = open(await makeFolder());
    const store = storeOn({ ...real, putUnsent: full }, [], (what) => failures.push(what));
    store.put(withTurn(completeTurn()), 'e1');
    for (const text of ['a', 'ab']) store.putUnsent('c1', { editing: { exchangeId: 'e1', text } });
    assert.deepEqual(failures, ['keeping attachments']);
    assert.equal(store.get('c1')?.exchanges.length, 1);
  });
});
