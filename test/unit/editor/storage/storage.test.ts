import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import type { Storage, StorageDeps } from '../../../../src/editor/storage/storage.ts';
import { type History, openHistory } from '../../../../src/history/history.ts';
import { findSqlite } from '../../../../src/history/sqlite.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange, withTurn } from '../../history/support.ts';

const { createStorage } = await withEditorStub(() => import('../../../../src/editor/storage/storage.ts'));

const nothing = conversation('empty', []);

describe('What the chat says about a database that another program has locked when the window starts', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'k3-storage-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is that earlier conversations are not shown, until it is free', () => {
    const history = join(folder, 'history');
    const made = openHistory({
      folder: history,
      place: '',
      onSetAside: () => assert.fail('set aside'),
      onWrong: assert.fail,
    });
    assert.ok(made.ok);
    made.history.close();
    const other = new (findSqlite() ?? assert.fail()).DatabaseSync(join(history, 'conversations.db'));
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; CREATE TABLE mine (x); COMMIT');

    const log: string[] = [];
    const storage = createStorage({
      base: { log: { info: () => 0, warn: (line: string) => log.push(line) } },
      context: { globalStorageUri: { scheme: 'file', fsPath: folder }, globalState: {} },
      waitMs: 20,
    } as unknown as StorageDeps);
    let opened = 0;
    let changed = 0;
    storage.onDidOpen(() => opened++);
    storage.onDidChange(() => changed++);
    assert.match(
      storage.banner(nothing)?.text ?? '',
      /^Another program has locked the conversation database/,
    );
    assert.deepEqual(log, ['the conversation database is locked; it is tried again']);
    storage.store.poll();
    assert.match(storage.banner(nothing)?.text ?? '', /^Another program/);

    other.close();
    storage.store.poll();
    assert.deepEqual([storage.banner(nothing), opened, changed], [undefined, 1, 1]);
    storage.store.dispose();
    storage.dispose();
  });
});

describe('What the chat says about a disk that is full', () => {
  const EXPORT = 'You can also export the conversation now.';
  const COPY = 'Copy what you have written before you close the window.';
  const asked = withTurn(completeTurn());
  const other = conversation('c2', [exchange('e2', 'How?', [{ ...completeTurn(), id: 't2' }])]);
  const renamed = { ...asked, title: 'Renamed', named: true };
  let folder: string;
  let storage: Storage;
  let real: History;
  let log: string[];
  let changed: number;
  /** The writes that fail from now on; all others work. */
  const fail = (...writes: readonly (keyof History)[]) =>
    Object.assign(
      storage.history ?? {},
      real,
      Object.fromEntries(
        writes.map((name) => [
          name,
          () => {
            throw Object.assign(new Error('full'), { errcode: 13 });
          },
        ]),
      ),
    );
  /** Whether an export is offered in a conversation, and what is said after why it isn't saved. */
  function said(shown: Conversation = asked): readonly (boolean | string)[] | undefined {
    const banner = storage.banner(shown);
    return banner && [banner.exports, banner.text.replace(/^The disk is full.*automatically\. ?/, '')];
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'k3-storage-'));
    log = [];
    storage = createStorage({
      base: { log: { info: () => 0, warn: (line: string) => log.push(line) } },
      context: { globalStorageUri: { scheme: 'file', fsPath: folder }, globalState: {} },
    } as unknown as StorageDeps);
    real = { ...(storage.history ?? assert.fail()) };
    storage.store.put(asked, 'e1');
    changed = 0;
    storage.onDidChange(() => changed++);
  });
  afterEach(async () => {
    fail();
    storage.store.dispose();
    storage.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('is that an export has what is not saved of the conversation, and that it doesn’t have the draft', () => {
    fail('putDraft');
    storage.store.putDraft('c1', 'A long draft');
    assert.deepEqual([said(), changed], [[false, COPY], 1]);
    fail('putDraft', 'putHeader');
    storage.store.put(renamed, 'e1');
    assert.deepEqual([said(), changed], [[true, `${EXPORT} ${COPY}`], 2]);
    fail('putHeader');
    storage.store.poll();
    assert.deepEqual([said(), changed], [[true, EXPORT], 3]);

    fail();
    storage.store.put(renamed, 'e1');
    storage.store.poll();
    assert.deepEqual([said(), changed], [undefined, 4]);
    const saving = log.filter((line) => line.startsWith("couldn't save"));
    assert.deepEqual(
      saving,
      Array(2).fill("couldn't save conversations: full, Error: full"),
      'only what fails',
    );
  });

  it('is known when it is told', () => {
    const told: unknown[] = [];
    storage.onDidChange(() => told.push(said()));
    fail('putHeader');
    storage.store.put(renamed, 'e1');
    assert.deepEqual(told, [[true, EXPORT]]);
  });

  it('offers an export only in the conversation that isn’t saved', () => {
    fail('putHeader', 'putDraft');
    storage.store.put(other, 'e2');
    assert.deepEqual(
      [said(), said(other)],
      [
        [false, ''],
        [true, EXPORT],
      ],
    );
    storage.store.putDraft('c1', 'A long draft');
    assert.deepEqual(
      [said(), said(other)],
      [
        [false, COPY],
        [true, `${EXPORT} ${COPY}`],
      ],
    );
  });

  it('offers no export of a conversation without a message', () => {
    fail('putHeader');
    const named = conversation('c3', [], { title: 'Plan for tomorrow', named: true });
    storage.store.put({ ...named, named: false });
    storage.store.put(named);
    assert.deepEqual(said(named), [false, '']);
  });

  it('says nothing of what is written when that is saved, and a deletion or a cost is not', () => {
    fail('putSpend');
    storage.store.putSpend('another chat', completeTurn());
    assert.deepEqual(said(), [false, '']);
    fail('remove');
    storage.store.remove('c1');
    assert.deepEqual(said(other), [false, '']);
  });
});

describe('What the chat says without a database', () => {
  it('is that an export keeps a conversation, which it offers for one with a message', () => {
    const storage = createStorage({
      base: { log: { info: () => 0, warn: () => 0 } },
      context: { globalStorageUri: { scheme: 'memory' }, globalState: {} },
    } as unknown as StorageDeps);
    const shown = [withTurn(completeTurn()), nothing].map((one) => storage.banner(one));
    for (const banner of shown) assert.match(banner?.text ?? '', /Export the conversations you want to keep/);
    assert.deepEqual(
      shown.map((banner) => banner?.exports),
      [true, false],
    );
    storage.dispose();
  });

  it('is that it couldn’t be opened, as with a file in its way, and conversations are kept in memory', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'k3-storage-'));
    await writeFile(join(folder, 'history'), 'a file stands in the way');
    const log: string[] = [];
    const storage = createStorage({
      base: { log: { info: () => 0, warn: (line: string) => log.push(line) } },
      context: { globalStorageUri: { scheme: 'file', fsPath: folder }, globalState: {} },
    } as unknown as StorageDeps);
    const asked = withTurn(completeTurn());
    storage.store.put(asked, 'e1');
    assert.deepEqual(storage.banner(asked), {
      text: 'Couldn’t open the conversation database, so conversations are lost when the window closes. Export the conversations you want to keep. To see why, run “K3: Show Log”.',
      exports: true,
    });
    assert.deepEqual(
      storage.store.list().map(({ id }) => id),
      [asked.id],
    );
    assert.deepEqual(storage.store.get(asked.id)?.exchanges, asked.exchanges);
    assert.equal(log.length, 1, log.join('\n'));
    assert.match(log[0] ?? '', /^conversations are not saved: failed, /);
    storage.store.dispose();
    storage.dispose();
    await rm(folder, { recursive: true });
  });
});

describe('Conversations that were deleted more than 30 days ago', () => {
  it('are finally removed when the window starts, and are named, so that their proposals go as well', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'k3-storage-'));
    for (const [days, id] of [
      [31, 'old'],
      [29, 'new'],
    ] as const) {
      const made = openHistory({
        folder: join(folder, 'history'),
        place: '',
        now: () => Date.now() - days * 24 * 60 * 60 * 1000,
        onSetAside: () => assert.fail('set aside'),
        onWrong: assert.fail,
      });
      assert.ok(made.ok);
      made.history.putHeader(conversation(id, []));
      made.history.remove(id);
      made.history.close();
    }
    const openWindow = () =>
      createStorage({
        base: { log: { info: () => 0, warn: assert.fail } },
        context: { globalStorageUri: { scheme: 'file', fsPath: folder }, globalState: {} },
      } as unknown as StorageDeps);
    // Whichever window removes them, each has proposals of its own folder.
    for (const storage of [openWindow(), openWindow()]) {
      const known = ['old', 'new', 'another'].filter((id) => storage.purged.has(id));
      assert.deepEqual(known, ['old']);
      assert.ok(storage.history?.removed('new'));
      storage.store.dispose();
      storage.dispose();
      assert.equal(storage.purged.has('new'), false, 'a database that is closed');
    }
    await rm(folder, { recursive: true, force: true });
  });
});
