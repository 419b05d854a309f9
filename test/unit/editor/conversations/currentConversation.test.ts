import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createCurrentConversation } from '../../../../src/editor/conversations/currentConversation.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { storeOn, withTurn } from '../../history/support.ts';

function start(remembered?: string) {
  const store = storeOn(undefined);
  store.put(withTurn(completeTurn()), 'e1');
  let last = remembered;
  let opened = 0;
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
    onOpened: () => opened++,
  });
  return { ...opening, store, last: () => last, opened: () => opened };
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
