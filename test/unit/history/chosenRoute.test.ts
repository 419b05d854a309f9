/** What was chosen for an attempt, in the database, in files, and in two windows. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChosenRequest } from '../../../src/conversation/requestFacts.ts';
import { createConversationEdits } from '../../../src/editor/conversations/conversationEdits.ts';
import type { ConversationStore } from '../../../src/history/conversationStore.ts';
import { parseExport, toExport } from '../../../src/history/exportedJson.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, open, storeOn } from './support.ts';

const route = { name: 'second', insteadOf: 'work', place: '0123456789abcdef' };
const chosen: ChosenRequest = { route, effort: 'default', leaveOut: ['schema'] };
const leftOut = ['schema', 'effort'] as const;
const { route: _, ...withoutRoute } = chosen;
const plain = { ...completeTurn(), id: 't1' };
const elsewhere = {
  ...completeTurn('Elsewhere.', { chosen, leftOut, effortWorks: true, refusesCeiling: true }),
  id: 't2',
};
const asked = conversation('c1', [exchange('e1', 'Why?', [plain, elsewhere], 1)]);
const chosenIn = (store: ConversationStore) =>
  store.latest('c1')?.exchanges[0]?.attempts.map(({ request }) => request.chosen);

describe('What was chosen for an attempt', () => {
  it('is there after a reload, and in a file', async () => {
    const folder = await makeFolder();
    storeOn(open(folder)).put(asked, 'e1');
    assert.deepEqual(chosenIn(storeOn(open(folder))), [undefined, chosen]);
    const file = toExport(asked, 0);
    const read = parseExport(file);
    assert.ok(read.ok);
    const { request } = read.conversations[0]?.exchanges[0]?.attempts[1] ?? assert.fail();
    assert.deepEqual([request.chosen, request.leftOut], [chosen, leftOut]);
    assert.deepEqual([request.effortWorks, request.refusesCeiling], [true, true]);
    const unknown = parseExport(file.replace('"leftOut":["schema",', '"leftOut":["all",'));
    assert.ok(!unknown.ok && /leftOut\[0\]/.test(unknown.problem.detail), JSON.stringify(unknown));
    const wrong = parseExport(file.replace('"effort":"default"', '"effort":"most"'));
    assert.ok(!wrong.ok && /chosen\.effort/.test(wrong.problem.detail), JSON.stringify(wrong));
  });

  it('has no route anymore, in all windows and after a reload, when the user has left it', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    const there = storeOn(open(folder));
    here.put(asked, 'e1');
    assert.deepEqual(chosenIn(there), [undefined, chosen]);
    const history = open(folder);
    const cost = history.costSince(0);
    const edits = createConversationEdits({ store: here, untitled: '', fire: () => undefined });
    edits.leaveRoute('c1', 't2');
    for (const one of [here, storeOn(open(folder))])
      assert.deepEqual(chosenIn(one), [undefined, withoutRoute]);
    there.poll();
    assert.deepEqual(chosenIn(there), [undefined, withoutRoute]);
    assert.equal(there.latest('c1')?.exchanges[0]?.attempts[1]?.answer, 'Elsewhere.');
    assert.equal(history.costSince(0), cost, 'nothing is billed again');
  });

  it('is left in a fork without its estimated cost being counted again', async () => {
    const folder = await makeFolder();
    const store = storeOn(open(folder));
    const estimated = { ...elsewhere, usage: undefined, estimatedCost: 0.5 };
    store.put(conversation('c1', [exchange('e1', 'Why?', [estimated])]), 'e1');
    const fork = conversation('c2', [exchange('e2', 'Why?', [{ ...estimated, id: 't3' }])], {
      forkedFrom: 'c1',
    });
    store.putCopy(fork);
    assert.equal(store.estimatedSince(0), 0.5);
    createConversationEdits({ store, untitled: '', fire: () => undefined }).leaveRoute('c2', 't3');
    assert.equal(store.get('c2')?.exchanges[0]?.attempts[0]?.request.chosen?.route, undefined);
    assert.equal(store.estimatedSince(0), 0.5);
  });

  it('stays when the user leaves the route of another attempt, or of one that is gone', async () => {
    const store = storeOn(open(await makeFolder()));
    store.put(asked, 'e1');
    const edits = createConversationEdits({
      store,
      untitled: '',
      fire: () => assert.fail('nothing changed'),
    });
    edits.leaveRoute('c1', 't1');
    edits.leaveRoute('c1', 'gone');
    edits.leaveRoute('gone', 't2');
    assert.deepEqual(chosenIn(store), [undefined, chosen]);
  });
});
