import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ConversationStore } from '../../../src/history/conversationStore.ts';
import type { History } from '../../../src/history/history.ts';
import type { StorageTrouble } from '../../../src/history/sqlite.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, storeOn } from './support.ts';

const image = { name: 'a.png', url: 'data:image/png;base64,AAAA' };
const queued = { id: 'q1', question: { text: 'It waits', images: [], origin: undefined } };
const end = completeTurn();

interface Case {
  readonly writes: readonly (keyof History)[];
  change(store: ConversationStore): void;
  /** What another window reads when it is written. */
  read(store: ConversationStore): unknown;
  readonly written: unknown;
}

const CASES: Readonly<Record<string, Case>> = {
  'a draft': {
    writes: ['putDraft'],
    change: (store) => store.putDraft('c1', 'An hour of work'),
    read: (store) => store.draft('c1'),
    written: 'An hour of work',
  },
  'the draft of a conversation without a question': {
    writes: ['putHeader', 'putDraft'],
    change(store) {
      store.put(conversation('c2', []));
      store.putDraft('c2', 'An hour of work');
    },
    read: (store) => store.draft('c2'),
    written: 'An hour of work',
  },
  'a queued message': {
    writes: ['changeQueue'],
    change: (store) => store.enqueue('c1', queued),
    read: (store) => store.queue('c1').map(({ id }) => id),
    written: ['q1'],
  },
  'an attachment': {
    writes: ['putUnsent'],
    change: (store) => store.putUnsent('c1', { images: [image] }),
    read: (store) => store.unsent('c1').images,
    written: [image],
  },
  'a deletion': {
    writes: ['remove'],
    change: (store) => store.remove('c1'),
    read: (store) => store.get('c1'),
    written: undefined,
  },
  'a deletion that is made twice': {
    writes: ['remove'],
    change(store) {
      store.remove('c1');
      store.remove('c1');
    },
    read: (store) => store.get('c1'),
    written: undefined,
  },
  'a restoration': {
    writes: ['restore'],
    change(store) {
      store.remove('c1');
      store.restore('c1');
    },
    read: (store) => store.get('c1')?.title,
    written: 'Title of c1',
  },
  'what an answer has cost that ended after its conversation was deleted': {
    writes: ['putEnd'],
    change(store) {
      store.remove('c1');
      store.putEnd('c1', 'e1', { ...end, startedAt: 5000 });
    },
    read: (store) => store.costSince(5000) > 0,
    written: true,
  },
};

describe('What a full disk refuses', () => {
  let folder: string;
  let real: History;
  let troubles: (StorageTrouble | undefined)[];

  beforeEach(async () => {
    folder = await makeFolder();
    troubles = [];
    real = open(folder);
    storeOn(real).put(conversation('c1', [exchange('e1', 'Why?', [end])]), 'e1');
  });

  for (const [name, { writes, change, read, written }] of Object.entries(CASES))
    it(`is told until it is written: ${name}`, () => {
      const disk = onFullDisk(real, ...writes);
      const store = storeOn(disk.history, troubles, () => undefined);
      store.get('c1');
      change(store);
      assert.deepEqual([troubles, store.trouble()], [['full'], 'full']);
      store.poll();
      assert.deepEqual(troubles, ['full']);
      disk.full = false;
      store.poll();
      assert.deepEqual([troubles, store.trouble()], [['full', undefined], undefined]);
      assert.deepEqual(read(storeOn(open(folder))), written);
    });

  it('is told until all of it is written, also what the recorder writes', () => {
    const drafts = onFullDisk(real, 'putDraft');
    const disk = onFullDisk(drafts.history, 'putExchange');
    const store = storeOn(disk.history, troubles, () => undefined);
    store.putDraft('c1', 'An hour of work');
    store.put(conversation('c2', [exchange('e2', 'And?', [{ ...end, id: 't2' }])]), 'e2');
    disk.full = false;
    store.put(conversation('c2', [exchange('e2', 'And?', [{ ...end, id: 't2' }])]), 'e2');
    store.poll();
    // Also that an export has some of it, and that it has all of it again.
    assert.deepEqual([troubles, store.trouble()], [['full', 'full', 'full'], 'full']);
    drafts.full = false;
    store.poll();
    assert.deepEqual([troubles.slice(3), store.trouble()], [[undefined], undefined]);
  });

  it('is not told any more of a draft whose conversation is deleted for good meanwhile', () => {
    const disk = onFullDisk(real, 'putDraft');
    const store = storeOn(disk.history, troubles, () => undefined);
    store.putDraft('c1', 'An hour of work');
    real.remove('c1');
    real.purge(Date.now() + 1000);
    disk.full = false;
    store.poll();
    assert.deepEqual(troubles, ['full', undefined]);
  });

  it('is told as what it is: another program has locked the database', () => {
    const disk = onFullDisk(real, 'putDraft');
    disk.errcode = 5;
    const store = storeOn(disk.history, troubles, () => undefined);
    store.putDraft('c1', 'An hour of work');
    assert.deepEqual(troubles, ['busy']);
  });
});
