/** The list of deleted conversations that can be restored, of two windows on one database. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import type { ConversationStore } from '../../../src/history/conversationStore.ts';
import type { History } from '../../../src/history/history.ts';
import { findSqlite } from '../../../src/history/sqlite.ts';
import { completeTurn, FACTS } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, storeOn } from './support.ts';

const ask = (store: ConversationStore, id: string, ...texts: readonly string[]) => {
  const exchanges = texts.map((text) => exchange(`${id} ${text}`, text, [completeTurn()]));
  // As it grows with each question.
  for (const [at, one] of exchanges.entries())
    store.put(conversation(id, exchanges.slice(0, at + 1), { workspace: 'project' }), one.id);
};
const idsOf = (store: ConversationStore) => store.listRemoved().map(({ id }) => id);

describe('The deleted conversations that can be restored', () => {
  let folder: string;
  let history: History;
  let here: ConversationStore;
  let there: ConversationStore;
  beforeEach(async () => {
    folder = await makeFolder();
    history = open(folder);
    here = storeOn(history);
    there = storeOn(open(folder));
  });

  it('have a title, a workspace, a time, and a number of questions', () => {
    ask(here, 'c1', 'Why?', 'How?');
    const before = Date.now();
    here.remove('c1');
    const [found] = here.listRemoved();
    assert.deepEqual(
      { ...found, deletedAt: 0 },
      { id: 'c1', title: 'Title of c1', named: false, workspace: 'project', deletedAt: 0, questions: 2 },
    );
    assert.ok(found && found.deletedAt >= before && found.deletedAt <= Date.now());
    assert.deepEqual(there.listRemoved(), [found]);
  });

  it('are those of all windows and of earlier ones, the last one first, without empty ones', async () => {
    for (const [store, id] of [
      [here, 'c1'],
      [there, 'c2'],
      [here, 'c3'],
    ] as const) {
      ask(store, id, 'Why?');
      store.remove(id);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    here.put(conversation('empty', []));
    here.remove('empty');
    assert.deepEqual(idsOf(here), ['c3', 'c2', 'c1']);
    assert.deepEqual(idsOf(storeOn(open(folder))), ['c3', 'c2', 'c1']);
  });

  it('are marked once if an earlier version has deleted them with a commit message', () => {
    const begin = (store: ConversationStore, id: string) =>
      store.put(conversation(id, [exchange(id, 'Write it.', [])], { named: true }), id);
    for (const id of ['commit-message-1', 'named']) begin(here, id);
    const db = new (findSqlite() ?? assert.fail()).DatabaseSync(join(folder, 'conversations.db'));
    db.exec('DROP INDEX IF EXISTS removed_conversation; UPDATE conversation SET deleted_at = 1');
    db.close();
    const namedOf = (store: ConversationStore) => store.listRemoved().map(({ id, named }) => [id, named]);
    const next = storeOn(open(folder));
    assert.deepEqual(namedOf(next).toSorted(), [
      ['commit-message-1', false],
      ['named', true],
    ]);
    begin(next, 'commit-message-2');
    next.remove('commit-message-2');
    assert.deepEqual(namedOf(storeOn(open(folder)))[0], ['commit-message-2', true]);
  });

  it('have one whose draft is all that it has', () => {
    here.put(conversation('c1', []));
    here.putDraft('c1', 'Not sent');
    here.remove('c1');
    assert.deepEqual(
      here.listRemoved().map(({ id, questions }) => [id, questions]),
      [['c1', 0]],
    );
  });

  it('have one in which only a draft, a queue, or an attachment is, also when that is not written', () => {
    const queued = { id: 'q1', question: { text: 'Why?', images: [], origin: undefined } };
    const image = { name: 'a.png', url: 'data:image/png;base64,AAAA' };
    const begin: Record<string, (store: ConversationStore) => void> = {
      draft: (store) => store.putDraft('draft', 'Not sent'),
      queue: (store) => store.enqueue('queue', queued),
      attachment: (store) => store.putUnsent('attachment', { images: [image] }),
      empty: () => undefined,
    };
    const writes = ['putHeader', 'putDraft', 'changeQueue', 'putUnsent'] as const;
    // Deleting a row that is not there changes nothing, which works on a full disk.
    const noRows = onFullDisk(history, ...writes);
    const full = onFullDisk(history, ...writes, 'remove');
    for (const disk of [undefined, full, noRows]) {
      const store = storeOn(disk?.history, [], () => undefined);
      for (const [id, add] of Object.entries(begin)) {
        store.put(conversation(id, []));
        add(store);
        store.remove(id);
      }
      assert.deepEqual(idsOf(store).toSorted(), ['attachment', 'draft', 'queue']);
      for (const id of idsOf(store)) store.restore(id);
      assert.deepEqual(idsOf(store), []);
      assert.deepEqual(
        [store.draft('draft'), store.queue('queue').length, store.unsent('attachment').images.length],
        ['Not sent', 1, 1],
      );
      if (disk === undefined) continue;
      for (const id of Object.keys(begin)) store.remove(id);
      disk.full = false;
      store.poll();
      assert.deepEqual(idsOf(there).toSorted(), ['attachment', 'draft', 'queue']);
      assert.deepEqual([there.list(), idsOf(store).length], [[], 3]);
      there.restore('draft');
      assert.equal(there.draft('draft'), 'Not sent');
      for (const id of Object.keys(begin)) store.remove(id);
      history.purge(Date.now() + 1);
      there.poll();
    }
  });

  it('have an empty one in whose panel something is typed after it was deleted', () => {
    here.put(conversation('c1', []));
    here.remove('c1');
    assert.deepEqual(idsOf(here), []);
    here.putDraft('c1', 'Not sent');
    for (const store of [here, there]) assert.deepEqual([idsOf(store), store.list()], [['c1'], []]);
    there.restore('c1');
    assert.equal(there.draft('c1'), 'Not sent');
  });

  it('have one without a question that has a title of the user or a pin, also when that is not written', () => {
    const disk = onFullDisk(history, 'remove', 'restore', 'putHeader');
    const full = storeOn(disk.history, [], () => undefined);
    for (const store of [here, storeOn(undefined), full]) {
      const found = () => store.listRemoved().map(({ id, questions }) => [id, questions]);
      for (const [id, change] of [
        ['named', { title: 'Plan for tomorrow', named: true }],
        ['pinned', { pinned: true }],
        ['empty', {}],
      ] as const) {
        store.put(conversation(id, []));
        store.put(conversation(id, [], change));
        store.remove(id);
      }
      assert.deepEqual(found().toSorted(), [
        ['named', 0],
        ['pinned', 0],
      ]);
      for (const id of ['named', 'pinned']) store.restore(id);
      assert.deepEqual(found(), []);
      assert.equal(store.get('named')?.title, 'Plan for tomorrow');
      for (const id of ['named', 'pinned']) store.remove(id);
      history.purge(Date.now() + 1);
    }
    disk.full = false;
    full.dispose();
  });

  it('don’t have one that was restored, here or in another window, also if it is restored again', () => {
    ask(here, 'c1', 'Why?');
    here.remove('c1');
    there.restore('c1');
    assert.deepEqual([idsOf(here), idsOf(there)], [[], []]);
    here.restore('c1');
    assert.deepEqual([idsOf(here), idsOf(there)], [[], []]);
    assert.equal(here.get('c1')?.exchanges.length, 1);
    assert.equal(there.get('c1')?.exchanges.length, 1);
  });

  it('have one that another window deleted while it is open here, before that is noticed', () => {
    ask(here, 'c1', 'Why?');
    there.get('c1');
    there.remove('c1');
    assert.deepEqual(idsOf(here), ['c1']);
    here.restore('c1');
    assert.equal(here.latest('c1')?.exchanges.length, 1);
    here.poll();
    assert.equal(here.get('c1')?.exchanges.length, 1);
  });

  it('have one that was deleted while an answer was running, which is ended then', () => {
    assert.equal(here.take('c1'), undefined);
    here.put(conversation('c1', [exchange('e1', 'Why?', [createTurn('t1', 1000, FACTS)])]), 'e1');
    here.remove('c1');
    here.release('c1');
    assert.deepEqual(idsOf(here), ['c1']);
    here.restore('c1');
    assert.equal(here.get('c1')?.exchanges[0]?.attempts[0]?.outcome, 'interrupted');
  });

  it('don’t have one that was deleted permanently, which is not restored', () => {
    ask(here, 'c1', 'Why?');
    here.remove('c1');
    const later = storeOn(open(folder));
    assert.deepEqual(idsOf(later), ['c1']);
    history.purge(Date.now() + 1);
    assert.deepEqual(idsOf(later), []);
    later.restore('c1');
    assert.deepEqual([later.get('c1'), later.removed('c1')], [undefined, undefined]);
  });

  it('are those of this window if there is no database, or if it can’t be written', () => {
    const alone = storeOn(undefined);
    ask(alone, 'c1', 'Why?');
    alone.remove('c1');
    assert.deepEqual(idsOf(alone), ['c1']);
    alone.restore('c1');
    assert.deepEqual(idsOf(alone), []);
    const disk = onFullDisk(history, 'remove', 'restore');
    const full = storeOn(disk.history, [], () => undefined);
    ask(full, 'c2', 'Why?');
    full.remove('c2');
    assert.deepEqual([idsOf(full), idsOf(there)], [['c2'], []]);
    disk.full = false;
    full.poll();
    there.poll();
    full.restore('c2');
    assert.deepEqual([idsOf(full), idsOf(there)], [[], []]);
    assert.equal(full.get('c2')?.exchanges.length, 1);
  });

  it('are not listed any more when restoring one can’t be written yet, and it is open as if it was', () => {
    ask(here, 'c1', 'Why?');
    here.remove('c1');
    const disk = onFullDisk(history, 'restore');
    const full = storeOn(disk.history, [], () => undefined);
    full.restore('c1');
    assert.deepEqual([idsOf(full), full.list().map(({ id }) => id)], [[], []]);
    assert.equal(full.get('c1')?.exchanges.length, 1);
    assert.equal(full.list()[0]?.id, 'c1');
    disk.full = false;
    full.dispose();
    assert.equal(there.get('c1')?.exchanges.length, 1);
  });
});
