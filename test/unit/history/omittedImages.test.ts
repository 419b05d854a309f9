/** That images of tools are no longer sent, in the database, in files, and in two windows. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isSamePlace } from '../../../src/conversation/questionPlace.ts';
import { createConversationEdits } from '../../../src/editor/conversations/conversationEdits.ts';
import type { ConversationStore } from '../../../src/history/conversationStore.ts';
import { parseExport, toExport } from '../../../src/history/exportedJson.ts';
import { answering, calling, OF_A, runWith, toolboxOf } from '../conversation/toolTurns.ts';
import { conversation, exchange, makeFolder, open, storeOn } from './support.ts';

const images = [{ type: 'image/png', base64: 'iVBORw0KGgo=' }];
const toolbox = toolboxOf(['see'], async () => ({ text: 'A picture.', images }));
const { turn } = await runWith([calling(['see', OF_A]), answering('x')], toolbox);
const asked = conversation('c1', [exchange('e1', 'Why?', [turn])]);
const shownIn = (store: ConversationStore) => store.latest('c1')?.exchanges[0]?.attempts[0];

describe('Images of tools that the user has stopped sending', () => {
  it('are in the conversation, in all windows, after a reload, and in a file', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    const there = storeOn(open(folder));
    here.put(asked, 'e1');
    const before = { base: here.latest('c1') ?? assert.fail(), exchange: undefined };
    assert.equal(shownIn(there)?.request.withoutImages, undefined);
    createConversationEdits({ store: here, untitled: '', fire: () => undefined }).omitImages('c1', 'e1');
    there.poll();
    for (const store of [here, there, storeOn(open(folder))]) {
      assert.equal(shownIn(store)?.request.withoutImages, true);
      assert.deepEqual(shownIn(store)?.rounds[0]?.toolCalls[0]?.result?.images, images);
    }
    const after = { ...before, base: here.latest('c1') ?? assert.fail() };
    assert.equal(isSamePlace(before, after), false, 'a request that was made before has them');
    const read = parseExport(toExport(after.base, 0));
    assert.ok(read.ok);
    assert.equal(read.conversations[0]?.exchanges[0]?.attempts[0]?.request.withoutImages, true);
  });
});
