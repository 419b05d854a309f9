import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import type { ConversationStore } from '../../../src/history/conversationStore.ts';
import { MAX_OPEN } from '../../../src/history/openConversations.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, storeOn, withTurn } from './support.ts';

describe('A window that looks for changes of others', () => {
  it('finds those of a conversation that the user sees, also if it has read many others since', async () => {
    const folder = await makeFolder();
    const [here, there] = [storeOn(open(folder)), storeOn(open(folder))];
    const asked = (id: string, ...texts: readonly string[]) =>
      conversation(
        id,
        texts.map((text) =>
          exchange(`${id}-${text}`, text, [{ ...completeTurn(), id: `turn ${id} ${text}` }]),
        ),
      );
    here.useShown((id) => id === 'seen');
    here.put(asked('seen', 'one'), 'seen-one');
    const others = Array.from({ length: MAX_OPEN + 5 }, (_, at) => `other${at}`);
    for (const id of others) here.put(asked(id, 'one'), `${id}-one`);
    here.poll();
    there.get('seen');
    there.put(asked('seen', 'one', 'two'), 'seen-two');
    assert.deepEqual(here.poll().changed, ['seen']);
    assert.ok(here.open().length <= MAX_OPEN);
    there.dispose();
    here.dispose();
  });

  it('tells by its revision one that shows another attempt there, which the list doesn’t', async () => {
    const folder = await makeFolder();
    const [here, there] = [storeOn(open(folder)), storeOn(open(folder))];
    const turns = ['t1', 't2'].map((id) => ({ ...completeTurn(), id }));
    const showing = (shown: number) => conversation('c1', [exchange('e1', 'Why?', turns, shown)]);
    here.put(showing(0), 'e1');
    const before = { row: here.list(), revision: here.revision('c1') };
    there.get('c1');
    there.put(showing(1), 'e1');
    here.poll();
    assert.deepEqual(here.list(), before.row);
    assert.notEqual(here.revision('c1'), before.revision);
    there.dispose();
    here.dispose();
  });

  it('shows what the disk has when it could write late and another window wrote before', async () => {
    const folder = await makeFolder();
    const there = storeOn(open(folder));
    const disk = onFullDisk(open(folder), 'putExchange');
    disk.full = false;
    const here = storeOn(disk.history);
    here.put(withTurn(completeTurn()), 'e1');
    disk.full = true;
    const second = (id: string, text: string) =>
      conversation('c1', [
        exchange('e1', 'Why?', [completeTurn()]),
        exchange(id, text, [{ ...completeTurn(), id: `t-${id}` }]),
      ]);
    here.put(second('e2', 'And here?'), 'e2');
    there.get('c1');
    there.put(second('e3', 'And there?'), 'e3');
    here.poll();
    disk.full = false;
    // The change of another conversation shows that there is space.
    here.put(conversation('c2', [exchange('e4', 'Else?', [{ ...completeTurn(), id: 't4' }])]), 'e4');
    here.put({ ...second('e2', 'And here?'), title: 'Late', named: true });
    here.poll();
    there.poll();
    const plain = (store: ConversationStore) => JSON.stringify(store.get('c1'));
    assert.equal(plain(here), plain(there));
    const { exchanges = [], branches = [] } = here.get('c1') ?? {};
    const all = [...exchanges, ...branches.flatMap((branch) => branch.exchanges)];
    assert.deepEqual(all.map(({ id }) => id).toSorted(), ['e1', 'e2', 'e3']);
    there.dispose();
    here.dispose();
  });

  it('shows what another window has written while it waited to write itself', async () => {
    const folder = await makeFolder();
    const there = storeOn(open(folder));
    const real = open(folder);
    let other = (): void => undefined;
    // As when the other window holds the database.
    const afterOther = (): void => {
      const first = other;
      other = () => undefined;
      first();
    };
    const here = storeOn({
      ...real,
      together(body) {
        afterOther();
        real.together(body);
      },
      putHeader(header) {
        afterOther();
        real.putHeader(header);
      },
    });
    const one = withTurn(completeTurn());
    here.put(one, 'e1');
    const more = exchange('e2', 'And?', [{ ...completeTurn(), id: 't2' }]);
    other = () => {
      there.get('c1');
      there.put({ ...one, exchanges: [...one.exchanges, more] }, 'e2');
    };
    here.put({ ...one, pinned: true });
    here.poll();
    assert.equal(here.get('c1')?.pinned, true);
    const all = here.get('c1');
    assert.deepEqual(
      [...(all?.exchanges ?? []), ...(all?.branches ?? []).flatMap(({ exchanges }) => exchanges)].map(
        ({ id }) => id,
      ),
      ['e1', 'e2'],
    );
    there.dispose();
    here.dispose();
  });

  it('takes nothing back that another window has written when it can’t look for a moment', async () => {
    const folder = await makeFolder();
    const there = storeOn(open(folder));
    const disk = onFullDisk(
      open(folder),
      ...([
        'version',
        'load',
        'loadAny',
        'revision',
        'draft',
        'putDraft',
        'putHeader',
        'putExchange',
      ] as const),
    );
    disk.full = false;
    const here = storeOn(disk.history, [], () => undefined);
    const one = withTurn(completeTurn());
    here.put(one, 'e1');
    here.putDraft('c1', 'Why');
    assert.equal(there.draft('c1'), 'Why');
    there.putDraft('c1', 'Why not?');
    const more = exchange('e2', 'And?', [{ ...completeTurn(), id: 't2' }]);
    there.put({ ...one, exchanges: [...one.exchanges, more] }, 'e2');
    disk.full = true;
    here.poll();
    disk.full = false;
    here.poll();
    for (const store of [storeOn(open(folder)), here]) {
      assert.equal(store.draft('c1'), 'Why not?');
      assert.deepEqual(
        store.get('c1')?.exchanges.map(({ id }) => id),
        ['e1', 'e2'],
      );
    }
    here.dispose();
  });

  it('begins to look when it can, if it can’t when it starts', async () => {
    const folder = await makeFolder();
    const disk = onFullDisk(open(folder), 'version');
    const here = storeOn(disk.history, [], () => undefined);
    disk.full = false;
    here.poll();
    storeOn(open(folder)).put(withTurn(completeTurn()), 'e1');
    assert.equal(here.poll().listed, true);
  });

  it('loads what another window has written', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    const there = storeOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    there.poll();
    assert.equal(there.get('c1')?.title, 'Title of c1');
    here.put({ ...withTurn(completeTurn()), title: 'Renamed', named: true });
    assert.deepEqual(there.poll().changed, ['c1']);
    assert.equal(there.get('c1')?.title, 'Renamed');
    here.dispose();
  });

  it('loads what another window was writing when it looked, and what that has written while it read', async () => {
    const folder = await makeFolder();
    const [one, real] = [withTurn(completeTurn()), open(folder)];
    const next = ({ exchanges }: Conversation, id: string) => ({
      ...one,
      exchanges: [...exchanges, exchange(id, 'And?', [{ ...completeTurn(), id: `t of ${id}` }])],
    });
    let during: () => void = () => undefined;
    const once = () => {
      const run = during;
      during = () => undefined;
      run();
    };
    const there = storeOn({
      ...real,
      putExchange(...about) {
        once();
        real.putExchange(...about);
      },
    });
    const other = open(folder);
    const here = storeOn({
      ...other,
      load(id) {
        const found = other.load(id);
        once();
        return found;
      },
    });
    there.put(one, 'e1');
    here.get('c1');
    const two = next(one, 'e2');
    during = () => {
      here.poll();
      assert.equal(here.get('c1')?.exchanges.length, 1);
    };
    there.put(two, 'e2');
    here.poll();
    assert.equal(here.get('c1')?.exchanges.length, 2);

    there.put({ ...two, title: 'Renamed', named: true });
    here.poll();
    during = () => there.put(next(two, 'e3'), 'e3');
    assert.equal(here.get('c1')?.exchanges.length, 2);
    here.poll();
    assert.equal(here.get('c1')?.exchanges.length, 3);
    here.dispose();
  });

  it('loads what another window has written while a draft is kept here', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    const there = storeOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    there.put({ ...withTurn(completeTurn()), title: 'Renamed', named: true });
    here.putDraft('c1', 'Half');
    here.putUnsent('c1', { editing: { exchangeId: 'e1', text: 'Why not?' } });
    assert.deepEqual(here.poll().changed, ['c1']);
    assert.equal(here.get('c1')?.title, 'Renamed');
    assert.equal(here.draft('c1'), 'Half');
    assert.equal(here.unsent('c1').editing?.text, 'Why not?');
  });

  it('writes its open conversations to the new database after one was set aside', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    await rename(join(folder, 'conversations.db'), join(folder, 'old.db'));
    for (const companion of ['-wal', '-shm'])
      await rename(join(folder, `conversations.db${companion}`), join(folder, `old.db${companion}`));
    const there = open(folder);
    assert.deepEqual(there.list(), []);
    here.poll();
    assert.equal(there.load('c1')?.exchanges[0]?.attempts[0]?.answer, 'Because.');
    assert.equal(here.get('c1')?.exchanges.length, 1);
    here.dispose();
  });
});
