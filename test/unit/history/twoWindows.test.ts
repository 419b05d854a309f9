/** Two windows on one database: the queue, the drafts, and attachments. Each window has its own connection. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { beforeEach, describe, it } from 'mocha';
import type { ConversationStore } from '../../../src/history/conversationStore.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, openTwoWindows, storeOn } from './support.ts';

const asked = conversation('c1', [exchange('e1', 'Why?', [completeTurn()])]);
const queued = (id: string) => ({ id, question: { text: `Text of ${id}`, images: [], origin: undefined } });
const idsOf = (store: ConversationStore) => store.queue('c1').map(({ id }) => id);

/** What a full disk refuses is expected to fail. */
const expected = () => undefined;

let folder: string;
let here: ConversationStore;
let there: ConversationStore;
async function prepare(): Promise<void> {
  ({ folder, here, there } = await openTwoWindows());
  here.put(asked, 'e1');
}

describe('A new database', () => {
  it('is opened by a window while another one is about to write to it', async () => {
    const folder = await makeFolder();
    const other = new Worker(new URL('../../support/reservingWindow.ts', import.meta.url), {
      workerData: { path: join(folder, 'conversations.db') },
    });
    await once(other, 'message');
    const ended = once(other, 'exit');
    other.postMessage('begin');
    assert.deepEqual(open(folder).list(), []);
    await ended;
  });
});

describe('A queued question in two windows', () => {
  beforeEach(prepare);

  it('is taken by one of them only', () => {
    here.enqueue('c1', queued('q1'));
    // Both windows show it.
    assert.deepEqual([idsOf(here), idsOf(there)], [['q1'], ['q1']]);
    assert.equal(here.dequeue('c1', 'q1'), true);
    assert.equal(there.dequeue('c1', 'q1'), false);
    assert.deepEqual([idsOf(here), idsOf(there)], [[], []]);
  });

  it('is taken by one connection only', () => {
    const connections = [open(folder), open(folder)];
    connections[0]?.changeQueue('c1', () => [queued('q1'), queued('q2')]);
    const takes = connections.map((connection) => {
      let found = false;
      connection.changeQueue('c1', (queue) => {
        found = queue.some(({ id }) => id === 'q1');
        return queue.filter(({ id }) => id !== 'q1');
      });
      return found;
    });
    assert.deepEqual(takes, [true, false]);
    assert.deepEqual(
      connections.map((connection) => connection.queue('c1').map(({ id }) => id)),
      [['q2'], ['q2']],
    );
  });

  it('is taken once by two processes that send the whole queue', async () => {
    const all = Array.from({ length: 200 }, (_, n) => `q${n}`);
    open(folder).changeQueue('c1', () => all.map(queued));
    const script = fileURLToPath(new URL('../../support/takingWindow.ts', import.meta.url));
    const run = promisify(execFile);
    const args = ['--disable-warning=ExperimentalWarning', script, folder, 'c1'];
    const windows = await Promise.all([1, 2].map(() => run(process.execPath, args)));
    const taken = windows.flatMap(({ stdout }) => JSON.parse(stdout) as string[]);
    assert.deepEqual(taken.toSorted(), all.toSorted());
  });

  it('stays when the other window adds one at the same time', () => {
    assert.deepEqual([idsOf(here), idsOf(there)], [[], []]);
    here.enqueue('c1', queued('q1'));
    there.enqueue('c1', queued('q2'));
    assert.deepEqual(idsOf(there), ['q1', 'q2']);
    assert.deepEqual(idsOf(here), ['q1']);
    here.poll();
    assert.deepEqual(idsOf(here), ['q1', 'q2']);
  });

  it('is removed from the queue of both', () => {
    here.enqueue('c1', queued('q1'));
    there.enqueue('c1', queued('q2'));
    there.clearQueue('c1');
    here.poll();
    assert.deepEqual([idsOf(here), idsOf(there)], [[], []]);
  });

  it('is kept in memory while it cannot be written, and is written with the next one', () => {
    const disk = onFullDisk(open(folder), 'changeQueue');
    const store = storeOn(disk.history, [], expected);
    store.enqueue('c1', queued('q1'));
    there.putDraft('c1', 'A change of the other window');
    store.poll();
    assert.deepEqual(idsOf(store), ['q1']);
    disk.full = false;
    store.enqueue('c1', queued('q2'));
    there.poll();
    assert.deepEqual(idsOf(there), ['q1', 'q2']);
  });

  it('is written when the window next looks for changes, if it could not be written before', () => {
    const disk = onFullDisk(open(folder), 'changeQueue');
    const store = storeOn(disk.history, [], expected);
    store.enqueue('c1', queued('q1'));
    disk.full = false;
    store.poll();
    assert.deepEqual(idsOf(there), ['q1']);
  });

  it('is written when the window closes, if it could not be written before', () => {
    const disk = onFullDisk(open(folder), 'changeQueue');
    const store = storeOn(disk.history, [], expected);
    here.enqueue('c1', queued('q1'));
    // It is sent from memory, and must not be sent again after a reload.
    assert.equal(store.dequeue('c1', 'q1'), true);
    disk.full = false;
    store.dispose();
    assert.deepEqual(idsOf(there), []);
  });

  it('is not there anymore once it was asked, when the window is killed before it is taken from the queue', () => {
    const real = open(folder);
    const store = storeOn(
      {
        ...real,
        changeQueue() {
          throw Object.assign(new Error('busy'), { errcode: 5 });
        },
      },
      [],
      expected,
    );
    here.enqueue('c1', queued('q1'));
    here.enqueue('c1', queued('q2'));
    store.get('c1');
    assert.equal(store.dequeue('c1', 'q1'), true);
    store.put(conversation('c1', [...asked.exchanges, exchange('q1', 'Text of q1', [])]), 'q1');
    // The window is killed here: nothing more of it is written.
    const later = storeOn(open(folder));
    assert.deepEqual(idsOf(later), ['q2']);
    assert.equal(later.dequeue('c1', 'q1'), false);
    assert.deepEqual(idsOf(storeOn(open(folder))), ['q2']);
  });

  it('is kept for a conversation that has no question yet', () => {
    here.put(conversation('c2', []));
    here.enqueue('c2', queued('q1'));
    assert.equal(there.queue('c2').length, 1);
  });

  it('is kept in memory without a database', () => {
    const store = storeOn(undefined);
    store.put(asked);
    store.enqueue('c1', queued('q1'));
    store.enqueue('c1', queued('q2'));
    assert.equal(store.dequeue('c1', 'q1'), true);
    assert.equal(store.dequeue('c1', 'q1'), false);
    assert.deepEqual(idsOf(store), ['q2']);
  });
});

describe('A draft in two windows', () => {
  beforeEach(prepare);

  it('is the same in both', () => {
    assert.deepEqual([here.draft('c1'), there.draft('c1')], ['', '']);
    here.putDraft('c1', 'Half a thought');
    there.poll();
    assert.equal(there.draft('c1'), 'Half a thought');
    there.putDraft('c1', '');
    here.poll();
    assert.equal(here.draft('c1'), '');
  });

  it('is kept by a deleted conversation', () => {
    here.remove('c1');
    here.putDraft('c1', 'Typed after it was deleted');
    assert.equal(here.draft('c1'), 'Typed after it was deleted');
    here.restore('c1');
    there.poll();
    assert.equal(there.draft('c1'), 'Typed after it was deleted');
  });
});

describe('What is not sent yet and can’t be read after another window has written', () => {
  beforeEach(prepare);

  it('is as it was before: the draft, the queue, and what is chosen', () => {
    here.putDraft('c1', 'Half a thought');
    here.enqueue('c1', queued('q1'));
    here.putUnsent('c1', { preset: 'Plan', leavesOut: true });
    const disk = onFullDisk(
      open(folder),
      ...(['draft', 'putDraft', 'queue', 'changeQueue', 'choices', 'unsent', 'putUnsent'] as const),
    );
    disk.full = false;
    const store = storeOn(disk.history, [], expected);
    const known = () => [store.draft('c1'), idsOf(store), store.choices('c1')];
    const before = ['Half a thought', ['q1'], { preset: 'Plan', leavesOut: true }];
    assert.deepEqual(known(), before);
    there.putUnsent('c1', { images: [{ name: 'a', url: 'ms://a' }] });
    store.poll();
    disk.full = true;
    assert.deepEqual(known(), before);
    disk.full = false;
    there.putDraft('c1', 'A whole thought');
    there.dequeue('c1', 'q1');
    there.putUnsent('c1', { preset: undefined });
    store.poll();
    assert.deepEqual(known(), ['A whole thought', [], { preset: undefined, leavesOut: true }]);
  });

  it('is what this window has chosen and written since', () => {
    const disk = onFullDisk(open(folder), 'choices');
    disk.full = false;
    const store = storeOn(disk.history, [], expected);
    store.putUnsent('c1', { preset: 'Plan' });
    assert.equal(store.choices('c1').preset, 'Plan');
    store.putUnsent('c1', { preset: 'Review' });
    disk.full = true;
    assert.equal(store.choices('c1').preset, 'Review');
  });
});

describe('What is attached in two windows', () => {
  beforeEach(prepare);

  const image = (name: string) => ({ name, url: `ms://${name}` });
  const namesIn = (store: ConversationStore) => store.unsent('c1').images.map(({ name }) => name);
  const attach = (store: ConversationStore, ...names: readonly string[]) =>
    store.putUnsent('c1', { images: names.map(image) });

  it('is kept from both of them, without what one has removed', () => {
    attach(here, 'old');
    // Both windows have opened the chat.
    assert.deepEqual([namesIn(here), namesIn(there)], [['old'], ['old']]);
    attach(here, 'old', 'a');
    attach(there, 'old', 'b');
    assert.deepEqual(namesIn(storeOn(open(folder))), ['old', 'a', 'b']);
    attach(here, 'a');
    attach(there, 'old', 'b', 'c');
    assert.deepEqual(namesIn(storeOn(open(folder))), ['a', 'b', 'c']);
    attach(there);
    assert.deepEqual(namesIn(storeOn(open(folder))), ['a']);
  });

  it('is written when there is space again, also at the end, and after the other window has written', () => {
    for (const [name, end] of [
      ['a', 'poll'],
      ['b', 'dispose'],
    ] as const) {
      const disk = onFullDisk(open(folder), 'putUnsent');
      const limited = storeOn(disk.history, [], expected);
      limited.putUnsent('c1', { images: [...limited.unsent('c1').images, image(name)] });
      assert.ok(namesIn(limited).includes(name), 'it stays in the window');
      attach(there, ...namesIn(there), `${name} there`);
      disk.full = false;
      limited[end]();
      assert.ok(namesIn(storeOn(open(folder))).includes(name), name);
    }
    assert.deepEqual(namesIn(storeOn(open(folder))).toSorted(), ['a', 'a there', 'b', 'b there']);
  });
});

describe('What is chosen in two windows', () => {
  beforeEach(prepare);

  const presets = () => [here, there].map((store) => store.choices('c1').preset);

  it('is what either chose last, in both of them and for each conversation by itself', () => {
    // Both windows have opened the chat.
    here.unsent('c1');
    there.unsent('c1');
    here.putUnsent('c1', { leavesOut: true });
    there.putUnsent('c1', { preset: 'Plan' });
    there.putUnsent('c2', { leavesOut: true });
    here.poll();
    there.poll();
    for (const store of [here, there, storeOn(open(folder))]) {
      assert.deepEqual(store.choices('c1'), { preset: 'Plan', leavesOut: true });
      assert.equal(store.choices('c2').leavesOut, true);
    }
    // Taken back where it was not chosen.
    here.putUnsent('c1', { preset: undefined });
    there.poll();
    assert.deepEqual(presets(), [undefined, undefined]);
    there.putUnsent('c1', { leavesOut: undefined });
    here.poll();
    assert.equal(here.choices('c1').leavesOut, undefined);
  });

  it('stays in the window while it can’t be written, and is written when there is space again', () => {
    const disk = onFullDisk(open(folder), 'putUnsent');
    const limited = storeOn(disk.history, [], expected);
    limited.putUnsent('c1', { preset: 'Plan', leavesOut: true });
    assert.deepEqual(limited.choices('c1'), { preset: 'Plan', leavesOut: true });
    limited.putUnsent('c1', { leavesOut: undefined });
    disk.full = false;
    limited.poll();
    here.poll();
    assert.deepEqual(here.choices('c1'), { preset: 'Plan', leavesOut: undefined });
  });

  it('takes nothing from what another window attached meanwhile', () => {
    const image = { name: 'a', url: 'ms://a' };
    here.unsent('c1');
    there.putUnsent('c1', { images: [image] });
    here.poll();
    here.putUnsent('c1', { preset: here.choices('c1').preset ?? 'Plan' });
    assert.deepEqual(storeOn(open(folder)).unsent('c1').images, [image]);
  });
});
