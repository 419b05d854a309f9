import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { NOTHING_UNSENT, type Unsent } from '../../../../src/conversation/unsent.ts';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import { toAttached } from '../../../../src/editor/context/attachments.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, storeOn } from '../../history/support.ts';

const { createComposers } = await withEditorStub(
  () => import('../../../../src/editor/composer/composers.ts'),
);

describe('Edited questions of a window that is killed', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const [first, second] = [
    { exchangeId: 'e1', text: 'First, but shorter' },
    { exchangeId: 'e2', text: 'Second, but longer' },
  ];

  /** Windows one after the other, each of which finds what the one before had written when it was killed. */
  function windows() {
    const open = conversation('c1', [exchange('e1', 'First', []), exchange('e2', 'Second', [])]);
    let unsent: Unsent = NOTHING_UNSENT;
    let draft = '';
    const deps = {
      get: () => open,
      draft: () => draft,
      putDraft(_: string, next: string) {
        draft = next;
      },
      unsent: () => ({ ...unsent, otherEdits: unsent.otherEdits.map((one) => ({ ...one })) }),
      isUnsentUnread: () => false,
      choices: () => unsent,
      putUnsent(_: string, parts: Partial<Unsent>) {
        unsent = { ...unsent, ...parts };
      },
      queue: () => [],
      enqueue: () => undefined,
    };
    return () => createComposers(deps, { get: () => undefined, set: () => undefined }).of('c1');
  }

  it('come back once each when it was killed right after another panel had begun to edit another one', () => {
    const open = windows();
    const killed = open();
    killed.edit(undefined, first);
    mock.timers.tick(400);
    killed.edit(undefined, second);
    const next = open();
    assert.deepEqual([next.editing, next.draft], [second, first.text]);
  });

  it('come back once when it was killed right after one was sent, or came back to its box', () => {
    const open = windows();
    const killed = open();
    killed.edit(undefined, first);
    mock.timers.tick(400);
    killed.sendingEdits = [first];
    const sent = open();
    assert.deepEqual([sent.editing, sent.draft], [first, '']);
    sent.edit('e1', undefined);
    sent.sendingEdits = [first];
    mock.timers.tick(400);
    sent.edit(undefined, first);
    sent.sendingEdits = [];
    const back = open();
    assert.deepEqual([back.editing, back.draft], [first, '']);
  });
});

describe('A composer that was made while the database was locked', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const image = (name: string) => ({ name, url: `data:image/png;base64,${name}` });
  const FILE = { kind: 'file' as const, label: 'a.ts', parts: [{ label: 'a.ts', text: 'a' }] };
  const edit = { exchangeId: 'e1', text: 'First, but shorter' };
  const two = conversation('c1', [exchange('e1', 'First', []), exchange('e2', 'Second', [])]);

  /** A window in which the conversation is in memory, and whose database is locked then. */
  async function locked() {
    const folder = await makeFolder();
    const before = storeOn(open(folder));
    for (const id of ['e1', 'e2']) before.put(two, id);
    before.putUnsent('c1', { images: [image('old')], context: [FILE], editing: edit });
    before.dispose();
    const disk = onFullDisk(open(folder), 'unsent');
    disk.errcode = 5;
    const store = storeOn(disk.history, [], () => undefined);
    assert.equal(store.get('c1')?.id, 'c1');
    const deps = { ...store, enqueue: () => undefined };
    const composers = createComposers(deps, { get: () => undefined, set: () => undefined });
    return { folder, disk, store, composers };
  }
  const has = ({ attachments, context, editing, draft }: Composer) => ({
    images: attachments.map(({ name }) => name),
    context: context.map(({ item }) => item.label),
    editing,
    draft,
  });

  it('has its attachments and its edited question when it can be read, which is reported', async () => {
    const { disk, store, composers } = await locked();
    const restored: string[] = [];
    composers.onDidRestoreContext((id) => restored.push(id));
    const nothing = { images: [], context: [], editing: undefined, draft: '' };
    assert.deepEqual(has(composers.of('c1')), nothing);
    assert.deepEqual([store.poll().changed, has(composers.of('c1'))], [[], nothing]);
    disk.full = false;
    assert.deepEqual([store.poll().changed, store.poll().changed], [['c1'], []]);
    const now = { images: ['old'], context: ['a.ts'], editing: edit, draft: '' };
    assert.deepEqual([has(composers.of('c1')), restored], [now, ['c1']]);
    // The page that opens it then has the box.
    const page = {};
    assert.equal(composers.of('c1').openBox(page), false);
    assert.deepEqual(composers.of('c1').boxOf(page), edit);
  });

  it('has what was attached, removed, and edited meanwhile as well, also after a reload', async () => {
    const { folder, disk, store, composers } = await locked();
    const composer = composers.of('c1');
    const page = {};
    composer.openBox(page);
    composer.attachments = [image('gone'), image('new')];
    composer.context = [toAttached({ ...FILE, label: 'b.ts' }), toAttached(FILE)];
    const other = { exchangeId: 'e2', text: 'Second, but longer' };
    composer.edit(undefined, other, page, true);
    mock.timers.tick(400);
    composer.attachments = [image('new')];
    disk.full = false;
    store.poll();
    // What the page has no box for is at the end of the draft.
    composers.of('c1');
    await undefined;
    const now = {
      images: ['old', 'new'],
      context: ['b.ts', 'a.ts'],
      editing: other,
      draft: 'First, but shorter',
    };
    assert.deepEqual(has(composers.of('c1')), now);
    assert.deepEqual(composer.boxOf(page), other);
    composers.dispose();
    store.dispose();
    const later = { ...storeOn(open(folder)), enqueue: () => undefined };
    const again = createComposers(later, { get: () => undefined, set: () => undefined }).of('c1');
    assert.deepEqual(
      { ...has(again), context: again.context.map(({ item }) => item.label).toSorted() },
      { ...now, context: ['a.ts', 'b.ts'] },
    );
  });
});
