import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { forkOf } from '../../../../src/conversation/fork.ts';
import type { ConversationStore } from '../../../../src/history/conversationStore.ts';
import { registered, window } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, turnOf } from '../../conversation/turns.ts';
import { conversation, exchange, makeFolder, open, storeOn } from '../../history/support.ts';

const { registerConversationCommands } = await withEditorStub(
  () => import('../../../../src/editor/conversations/conversationCommands.ts'),
);

describe('Deleting a conversation', () => {
  const original = { ...window };
  let told: string[];
  let store: ConversationStore;
  const remove = (id: string) =>
    (registered.get('k3.deleteConversation') as (id: string) => Promise<void>)(id);

  beforeEach(async () => {
    told = [];
    store = storeOn(open(await makeFolder()));
    Object.assign(window, {
      async showInformationMessage(message: string, undo: string) {
        told.push(message);
        return undo;
      },
    });
    const conversations = {
      ...store,
      delete: store.remove,
      front: () => assert.fail(),
      open: () => undefined,
    };
    registerConversationCommands({ conversations } as never);
  });
  afterEach(() => void Object.assign(window, original));

  const UNSENT: Readonly<Record<string, () => void>> = {
    'a draft': () => store.putDraft('c1', 'A draft'),
    'a queued message': () =>
      store.enqueue('c1', { id: 'q1', question: { text: 'It waits', images: [], origin: undefined } }),
    'an image': () =>
      store.putUnsent('c1', { images: [{ name: 'a.png', url: 'data:image/png;base64,AAAA' }] }),
  };
  for (const [name, put] of Object.entries(UNSENT))
    it(`can be undone if it has no question but ${name}`, async () => {
      store.put(conversation('c1', []));
      put();
      await remove('c1');
      assert.deepEqual(told, ['“Title of c1” was deleted.']);
      assert.deepEqual(
        store.list().map(({ id }) => id),
        ['c1'],
      );
    });

  it('can be undone if it has no question but a title or a pin', async () => {
    for (const more of [{ named: true }, { pinned: true }]) {
      store.put(conversation('c1', []));
      store.put(conversation('c1', [], more));
      await remove('c1');
      assert.deepEqual(told.splice(0), ['“Title of c1” was deleted.']);
      const { named, pinned } = store.get('c1') ?? assert.fail();
      assert.deepEqual({ named, pinned }, { named: false, pinned: false, ...more });
      store.remove('c1');
    }
  });

  it('can be undone if it has a question, and is not told if it has nothing', async () => {
    store.put(conversation('c2', []));
    await remove('c2');
    assert.deepEqual(told, []);
    store.put(conversation('c1', [exchange('e1', 'Why?', [completeTurn()])]), 'e1');
    await remove('c1');
    assert.deepEqual(told, ['“Title of c1” was deleted.']);
  });
});

describe('Renaming or pinning a conversation', () => {
  restoreAfterEach(window);

  it('says that it can’t be read, or was deleted meanwhile, and nothing else', async () => {
    const told: string[] = [];
    Object.assign(window, {
      showWarningMessage: async (message: string) => void told.push(message),
      showInputBox: async () => 'Another title',
    });
    let [isDone, isUnread] = [true, false];
    const conversations = {
      get: () => conversation('c1', []),
      rename: () => isDone,
      pin: () => isDone,
      isUnread: () => isUnread,
    };
    registerConversationCommands({ conversations } as never);
    const run = async () => {
      told.length = 0;
      for (const command of ['k3.renameConversation', 'k3.pinConversation', 'k3.unpinConversation'])
        await (registered.get(command) as (id: string) => Promise<void>)('c1');
      return told;
    };
    assert.deepEqual(await run(), []);
    isDone = false;
    assert.deepEqual(await run(), Array(3).fill('“Title of c1” was deleted.'));
    isUnread = true;
    assert.deepEqual(await run(), Array(3).fill('The conversation can’t be read now. Try again later.'));
  });

  it('keeps the title that is typed when the user goes to another window, such as to copy it', async () => {
    const inputs: { readonly ignoreFocusOut?: boolean }[] = [];
    Object.assign(window, { showInputBox: async (input: object) => void inputs.push(input) });
    registerConversationCommands({ conversations: { get: () => conversation('c1', []) } } as never);
    await (registered.get('k3.renameConversation') as (id: string) => Promise<void>)('c1');
    assert.deepEqual(
      inputs.map(({ ignoreFocusOut }) => ignoreFocusOut),
      [true],
    );
  });
});

describe('A command on a conversation that was deleted, or can’t be read and is not known from before', () => {
  restoreAfterEach(window);

  it('says so instead of doing nothing', async () => {
    const told: string[] = [];
    Object.assign(window, { showWarningMessage: async (message: string) => void told.push(message) });
    let isUnread = true;
    let deleted: ReturnType<typeof conversation> | undefined;
    const conversations = {
      get: () => undefined,
      open: () => undefined,
      isUnread: () => isUnread,
      deleted: () => deleted,
    };
    registerConversationCommands({ conversations } as never);
    const run = async () => {
      for (const command of ['_k3.openConversation', 'k3.forkConversation', 'k3.deleteConversation'])
        await (registered.get(command) as (id: string) => Promise<void>)('c1');
      return told.splice(0);
    };
    assert.deepEqual(await run(), Array(3).fill('The conversation can’t be read now. Try again later.'));
    isUnread = false;
    assert.deepEqual(await run(), []);
    // Since it was listed, or since its answer was told.
    deleted = conversation('c1', []);
    assert.deepEqual(await run(), Array(3).fill('“Title of c1” was deleted.'));
  });

  it('says so when a deleted one that is shown can’t be forked', async () => {
    const told: string[] = [];
    Object.assign(window, { showWarningMessage: async (message: string) => void told.push(message) });
    const conversations = {
      front: () => conversation('c1', [exchange('e1', 'Why?', [completeTurn()])]),
      fork: () => undefined,
      isUnread: () => false,
    };
    registerConversationCommands({ conversations } as never);
    await (registered.get('k3.forkConversation') as () => Promise<void>)();
    assert.deepEqual(told, ['“Title of c1” was deleted.']);
  });
});

describe('Forking a conversation', () => {
  restoreAfterEach(window);

  it('says that a running answer is not in the fork, and makes none if there is no other answer', async () => {
    const told: string[] = [];
    Object.assign(window, { showInformationMessage: async (message: string) => void told.push(message) });
    const running = exchange('e2', 'And why?', [turnOf([])]);
    const ended = exchange('e1', 'Why?', [completeTurn()]);
    let shown = conversation('c1', [running]);
    let forks = 0;
    const conversations = {
      front: () => shown,
      fork() {
        forks++;
        return forkOf(shown, undefined, { createdAt: 1, newId: () => 'new' });
      },
    };
    registerConversationCommands({ conversations } as never);
    const fork = registered.get('k3.forkConversation') as () => Promise<void>;
    await fork();
    shown = conversation('c1', []);
    await fork();
    assert.equal(forks, 0);
    shown = conversation('c1', [ended, running]);
    await fork();
    shown = conversation('c1', [ended]);
    await fork();
    assert.equal(forks, 2);
    shown = conversation('c1', [exchange('e1', 'Why?', [completeTurn(), turnOf([])])]);
    await fork();
    assert.deepEqual(told, [
      'There is no answer yet.',
      'There is no answer yet.',
      'The answer that is still running isn’t in the fork.',
      'The answer that is still running isn’t in the fork.',
    ]);
  });
});
