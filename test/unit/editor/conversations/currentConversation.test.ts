import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createCurrentConversation } from '../../../../src/editor/conversations/currentConversation.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { storeOn, withTurn } from '../../history/support.ts';

function start(remembered?: string, isLocked = false) {
  const disk = { isLocked };
  const all = storeOn(undefined);
  all.put(withTurn(completeTurn()), 'e1');
  const store = {
    ...all,
    isUnread: (id: string) => disk.isLocked && id !== '' && all.get(id)?.exchanges.length !== 0,
    get: (id: string) => (disk.isLocked && id === 'c1' ? undefined : all.get(id)),
  };
  let last = remembered;
  let opened = 0;
  const begun = new Set<string>();
  const opening = createCurrentConversation({
    store,
    lastConversation: {
      get: () => last,
      set(id) {
        last = id;
      },
    },
    untitled: 'New conversation',
    workspace: 'project',
    isBegun: (id) => begun.has(id),
    onOpened: () => opened++,
  });
  return { ...opening, disk, store, begun, last: () => last, opened: () => opened };
}

describe('The conversation in the side bar', () => {
  it('is the one that was open before a reload, and a new one when that is unknown', () => {
    assert.equal(start('c1').current().id, 'c1');
    const other = start('unknown');
    const { id, title, workspace } = other.current();
    assert.deepEqual([title, workspace, other.last()], ['New conversation', 'project', id]);
    assert.equal(other.current().id, id);
    assert.equal(other.opened(), 0, 'nobody opened another one');
  });

  it('is the empty one when a new one is created again, unless that has a name', () => {
    const side = start('c1');
    const { id } = side.create();
    side.open('c1');
    assert.equal(side.create().id, id);
    assert.equal(side.opened(), 3);
    side.store.put({ ...side.current(), named: true });
    assert.notEqual(side.create().id, id);
  });

  it('is another one than those in which the user has begun something, when a new one is created', () => {
    const image = { name: 'a.png', url: 'data:image/png;base64,AAAA' };
    const edited = { exchangeId: 'e1', turnId: undefined, text: 'Why not?' };
    const begin: Record<string, (side: ReturnType<typeof start>, id: string) => void> = {
      'a draft': ({ store }, id) => store.putDraft(id, 'A draft'),
      'a draft that is not stored yet': ({ begun }, id) => begun.add(id),
      'a queued message': ({ store }, id) =>
        store.enqueue(id, { id: 'q1', question: { text: 'Why?', images: [], origin: undefined } }),
      'an image': ({ store }, id) => store.putUnsent(id, { images: [image] }),
      'an edited question': ({ store }, id) => store.putUnsent(id, { editing: edited }),
      'a pin': ({ store, current }) => store.put({ ...current(), pinned: true }),
    };
    for (const [what, add] of Object.entries(begin)) {
      const side = start('c1');
      const { id } = side.create();
      assert.equal(side.unused().id, id, 'nothing is in it');
      add(side, id);
      assert.notEqual(side.unused().id, id, what);
      assert.notEqual(side.create().id, id, what);
      assert.equal(side.create().id, side.create().id, `at most one is empty beside ${what}`);
    }
  });

  it('stays when it is opened again, when another one is created aside, and when an unknown one is opened', () => {
    const side = start('c1');
    side.open('c1');
    side.open('unknown');
    assert.equal(side.createAside('Other chats').named, true);
    assert.deepEqual([side.current().id, side.opened()], ['c1', 0]);
  });

  it('is another one after it was deleted here, and the same, without its exchanges, when it was deleted elsewhere', () => {
    const side = start('c1');
    side.store.remove('c1');
    assert.deepEqual([side.current().id, side.current().exchanges], ['c1', []]);
    side.leave('another');
    assert.equal(side.current().id, 'c1');
    side.leave('c1');
    assert.deepEqual([side.current().title, side.opened()], ['New conversation', 1]);
  });
});

describe('The conversation in the side bar while the database is locked', () => {
  it('is a new one, and then the one that was open before, if nothing was begun in the new one', () => {
    const side = start('c1', true);
    const { id } = side.current();
    assert.deepEqual([id === 'c1', side.last()], [false, 'c1']);
    side.disk.isLocked = false;
    side.resume();
    assert.deepEqual([side.current().id, side.opened()], ['c1', 1]);
  });

  it('stays a new one in which the user has begun to write, has queued a message, or has attached an image', () => {
    const image = { name: 'a.png', url: 'data:image/png;base64,AAAA' };
    for (const begin of ['draft', 'queue', 'image'] as const) {
      const side = start('c1', true);
      const { id } = side.current();
      if (begin === 'draft') side.store.putDraft(id, 'A draft');
      else if (begin === 'image') side.store.putUnsent(id, { images: [image] });
      else side.store.enqueue(id, { id: 'q1', question: { text: 'Why?', images: [], origin: undefined } });
      side.disk.isLocked = false;
      side.resume();
      assert.deepEqual([side.current().id, side.last(), side.opened()], [id, id, 0]);
    }
  });

  it('stays the one that the user has opened meanwhile, and a new one when the one before is gone', () => {
    const side = start('c1', true);
    side.current();
    side.store.put({ ...withTurn(completeTurn()), id: 'c2' }, 'e1');
    side.open('c2');
    side.disk.isLocked = false;
    side.resume();
    assert.deepEqual([side.current().id, side.last()], ['c2', 'c2']);
    const other = start('gone', true);
    const { id } = other.current();
    other.disk.isLocked = false;
    other.resume();
    assert.deepEqual([other.current().id, other.last()], [id, id]);
  });

  it('goes back as soon as it can be read, and not before', () => {
    const side = start('c1', true);
    const { id } = side.current();
    side.resume();
    assert.deepEqual([side.current().id, side.last(), side.opened()], [id, 'c1', 0]);
    side.disk.isLocked = false;
    side.resume();
    side.resume();
    assert.deepEqual([side.current().id, side.last(), side.opened()], ['c1', 'c1', 1]);
  });
});
