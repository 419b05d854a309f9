import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createConversation } from '../../../../src/conversation/conversation.ts';
import { toNotices } from '../../../../src/conversation/outcomes/notices.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { turnBefore } from '../../../../src/conversation/turnBefore.ts';
import { costOf } from '../../../../src/conversation/usage/cost.ts';
import { estimateNext } from '../../../../src/conversation/usage/estimate.ts';
import { createConversationEdits } from '../../../../src/editor/conversations/conversationEdits.ts';
import type { History } from '../../../../src/history/history.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, SOME_USAGE } from '../../conversation/turns.ts';
import { makeFolder, open, PRICES, storeOn } from '../../history/support.ts';

const { keepAnswer } = await withEditorStub(
  () => import('../../../../src/editor/languageModel/keptChats.ts'),
);

function openWindow(history: History) {
  const store = storeOn(history);
  const edits = createConversationEdits({ store, untitled: '', fire: () => undefined });
  let count = 0;
  return {
    store,
    keep: (id: string, more: Partial<Turn> = {}) =>
      keepAnswer(
        {
          list: store.list,
          get: store.get,
          isRunning: () => false,
          holder: store.holder,
          append: edits.append,
          createAside(title, prefix = '') {
            const created = createConversation(
              `${prefix}${history.version()}${++count}`,
              1000,
              title,
              undefined,
            );
            store.put({ ...created, named: true });
            return created;
          },
        },
        { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Why?' }] }] },
        { ...completeTurn(), id, startedAt: 1000, ...more },
      ),
  };
}

describe('What another chat was answered', () => {
  it('is kept in one conversation of the day, of all windows', async () => {
    const folder = await makeFolder();
    const here = openWindow(open(folder));
    const there = openWindow(open(folder));
    here.keep('t1');
    there.keep('t2');
    here.store.poll();
    here.keep('t3');
    const [one, ...others] = storeOn(open(folder)).list();
    assert.deepEqual(others, []);
    assert.equal(storeOn(open(folder)).get(one?.id ?? '')?.exchanges.length, 3);
  });

  it('says nothing about the requests before it and after it, which have nothing of it', async () => {
    const folder = await makeFolder();
    const { store, keep } = openWindow(open(folder));
    const usage = { ...SOME_USAGE, promptTokens: 50_000, cachedTokens: 0 };
    keep('t1', { usage });
    keep('t2', { usage });
    const [{ id } = assert.fail()] = store.list();
    const kept = storeOn(open(folder)).get(id) ?? assert.fail();
    const { id: last, attempts } = kept.exchanges[1] ?? assert.fail();
    const [turn = assert.fail()] = attempts;
    assert.deepEqual(toNotices(turn, turnBefore(kept, last)), [], 'its prompt was never cached');
    assert.ok(estimateNext(kept, '', '', 0, PRICES).promptTokens < 1000, 'its prompt is not sent again');
  });

  it('is kept in a new one, with its cost, when another window has deleted that of the day a moment ago', async () => {
    const folder = await makeFolder();
    const here = openWindow(open(folder));
    const there = openWindow(open(folder));
    here.keep('t1');
    const [day] = there.store.list();
    assert.ok(day);
    there.store.remove(day.id);
    here.keep('t2');
    const [one, ...others] = storeOn(open(folder)).list();
    assert.deepEqual(others, []);
    assert.notEqual(one?.id, day.id);
    assert.equal(one?.cost, costOf(completeTurn(), PRICES));
  });
});
