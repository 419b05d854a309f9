import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createConversationEdits } from '../../../../src/editor/conversations/conversationEdits.ts';
import { createFoundTurns } from '../../../../src/editor/conversations/foundTurns.ts';
import { completeTurn } from '../../conversation/turns.ts';
import {
  conversation,
  exchange,
  makeFolder,
  onFullDisk,
  open,
  storeOn,
  withTurn,
} from '../../history/support.ts';

describe('That results which were left out are sent again', () => {
  it('is there after a reload and in another window, for each question that was chosen, until it is taken back', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    const there = storeOn(open(folder));
    const fired: string[] = [];
    const edits = createConversationEdits({
      store: here,
      untitled: '',
      fire: ({ type }) => fired.push(type),
    });
    const ids = ['e1', 'e2', 'e3'];
    const asked = ids.map((id) => exchange(id, 'Why?', [{ ...completeTurn(), id: `of ${id}` }]));
    for (const [n, { id }] of asked.entries()) here.put(conversation('c1', asked.slice(0, n + 1)), id);
    const keptIn = (store: typeof here) =>
      store.get('c1')?.exchanges.flatMap(({ id, question }) => (question.keepsResults ? [id] : []));
    assert.deepEqual(keptIn(there), []);

    edits.keepResults('c1', ['e1', 'e3'], true);
    there.poll();
    for (const store of [here, there, storeOn(open(folder))]) assert.deepEqual(keptIn(store), ['e1', 'e3']);
    edits.keepResults('c1', ['e3'], false);
    there.poll();
    for (const store of [here, there, storeOn(open(folder))]) assert.deepEqual(keptIn(store), ['e1']);
    assert.deepEqual(fired, ['replaced', 'listed', 'replaced', 'listed']);
  });
});

describe('A conversation that another window has changed and that can’t be read', () => {
  it('is not renamed or pinned, and its turns are found as they were', async () => {
    const folder = await makeFolder();
    const there = storeOn(open(folder));
    const asked = withTurn(completeTurn());
    there.put(asked, 'e1');
    const disk = onFullDisk(open(folder), 'load', 'removed');
    disk.full = false;
    const store = storeOn(disk.history, [], () => undefined);
    const fire = () => undefined;
    const edits = createConversationEdits({ store, untitled: '', fire });
    const { find } = createFoundTurns({ store, fire });
    store.get('c1');
    there.put({ ...asked, title: 'Renamed there', named: true });
    store.poll();
    disk.full = true;
    store.get('c1');
    assert.equal(find('t1')?.conversation.title, 'Title of c1');
    assert.deepEqual([edits.rename('c1', 'Renamed here'), edits.pin('c1', true)], [false, false]);
    disk.full = false;
    store.poll();
    assert.equal(store.get('c1')?.title, 'Renamed there');
    assert.equal(find('t1')?.conversation.title, 'Renamed there');
    assert.deepEqual([edits.rename('c1', 'Renamed here'), edits.pin('c1', true)], [true, true]);
    assert.deepEqual([store.get('c1')?.title, store.get('c1')?.pinned], ['Renamed here', true]);
  });
});
