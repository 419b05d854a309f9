import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createConversationEdits } from '../../../../src/editor/conversations/conversationEdits.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange, makeFolder, open, storeOn } from '../../history/support.ts';

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
