import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { StorageDeps } from '../../../../src/editor/storage/storage.ts';
import { openHistory } from '../../../../src/history/history.ts';
import { findSqlite } from '../../../../src/history/sqlite.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { withTurn } from '../../history/support.ts';

const { createStorage } = await withEditorStub(() => import('../../../../src/editor/storage/storage.ts'));

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
    assert.match(storage.banner()?.text ?? '', /^Another program has locked the conversation database/);
    assert.deepEqual(log, ['the conversation database is locked; it is tried again']);
    storage.store.poll();
    assert.match(storage.banner()?.text ?? '', /^Another program/);

    other.close();
    storage.store.poll();
    assert.deepEqual([storage.banner(), opened, changed], [undefined, 1, 1]);
    storage.store.dispose();
    storage.dispose();
  });
});

describe('What the chat says about a disk that is full', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'k3-storage-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is that an export has what is not saved only if it has it', () => {
    const storage = createStorage({
      base: { log: { info: () => 0, warn: () => 0 } },
      context: { globalStorageUri: { scheme: 'file', fsPath: folder }, globalState: {} },
    } as unknown as StorageDeps);
    let changed = 0;
    storage.onDidChange(() => changed++);
    const real = { ...(storage.history ?? assert.fail()) };
    const fail = () => {
      throw Object.assign(new Error('full'), { errcode: 13 });
    };
    const said = () => [storage.banner()?.exports, storage.banner()?.text.split('. ').at(-1), changed];
    const asked = withTurn(completeTurn());
    storage.store.put(asked, 'e1');

    Object.assign(storage.history ?? {}, { putDraft: fail });
    storage.store.putDraft('c1', 'A long draft');
    assert.deepEqual(said(), [false, 'Copy what you have written before you close the window.', 1]);
    Object.assign(storage.history ?? {}, { putHeader: fail, putExchange: fail, rename: fail });
    storage.store.put({ ...asked, title: 'Renamed', named: true }, 'e1');
    assert.deepEqual(said(), [true, 'You can also export the conversation now.', 2]);

    Object.assign(storage.history ?? {}, real);
    storage.store.put({ ...asked, title: 'Renamed', named: true }, 'e1');
    storage.store.poll();
    assert.equal(storage.banner(), undefined);
    storage.store.dispose();
    storage.dispose();
  });
});
