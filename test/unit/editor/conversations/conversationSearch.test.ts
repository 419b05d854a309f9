import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import type { Conversations } from '../../../../src/editor/conversations/conversationList.ts';
import type { Hit } from '../../../../src/history/searchRows.ts';
import * as stub from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { conversation, exchange } from '../../history/support.ts';

const { searchConversations, toItems } = await withEditorStub(
  () => import('../../../../src/editor/conversations/conversationSearch.ts'),
);

const hit = (conversationId: string, snippet: string, part: Hit['part'] = 'answer'): Hit => ({
  conversationId,
  title: `Title $(zap) ${conversationId}`,
  ownerId: snippet,
  part,
  snippet,
  changedAt: 0,
});

describe('The results of a search', () => {
  it('have each conversation once, with what was found marked beneath', () => {
    const items = toItems([
      hit('c1', 'a \u0002heron\u0003\nstands', 'question'),
      hit('c1', '$(zap) \u0002heron\u0003'),
      hit('c2', '…back.** The `\u0002heron\u0003` stands. **No…', 'reasoning'),
    ]);
    assert.deepEqual(
      items.map(({ label }) => label),
      [
        'Title $ (zap) c1',
        '$(account) a «heron» stands',
        '$(sparkle) $ (zap) «heron»',
        'Title $ (zap) c2',
        '$(list-tree) …back. The «heron» stands. No…',
      ],
    );
    assert.deepEqual(
      items.map((item) => item.hit?.part),
      [undefined, 'question', 'answer', undefined, 'reasoning'],
    );
    assert.ok(items.every(({ alwaysShow, conversationId }) => alwaysShow && conversationId !== ''));
  });
});

describe('The search box', () => {
  const { showWarningMessage } = stub.window;
  afterEach(() => {
    mock.timers.reset();
    Reflect.deleteProperty(stub.window, 'createQuickPick');
    Object.assign(stub.window, { showWarningMessage });
  });

  const plain = (id: string) => conversation(id, []);

  /**
   * Opens the box. Returns functions that type and select, and what was searched for.
   *
   * @param found the conversations of the results
   */
  function open(found: Partial<Conversations> = {}) {
    const failing = { errcode: undefined as number | undefined };
    const [told, warned, revealed] = [[] as string[], [] as string[], [] as unknown[]];
    Object.assign(stub.window, { showWarningMessage: async (message: string) => void told.push(message) });
    mock.timers.enable({ apis: ['setTimeout'] });
    const [changed, accepted, hidden] = Array.from({ length: 3 }, () => new stub.EventEmitter<unknown>());
    const pick = {
      title: '',
      value: '',
      items: [] as readonly object[],
      selectedItems: [] as readonly object[],
      onDidChangeValue: changed?.event,
      onDidAccept: accepted?.event,
      onDidHide: hidden?.event,
      show: () => undefined,
      hide: () => hidden?.fire(undefined),
      dispose: () => undefined,
    };
    Object.assign(stub.window, { createQuickPick: () => pick });
    const searched: string[] = [];
    const search = (text: string, limit: number) => {
      searched.push(text);
      if (failing.errcode !== undefined) throw Object.assign(new Error('failed'), failing);
      if (text === 'many') return Array.from({ length: limit }, (_, at) => hit(`c${at}`, text));
      return text === '' || text === 'nothing' ? [] : [hit(text, text), hit(`other ${text}`, text)];
    };
    const opened: string[] = [];
    searchConversations({
      conversations: { open: (id: string) => opened.push(id), get: plain, list: () => [], ...found } as never,
      history: { search, isOpen: () => true },
      reveal: (place) => revealed.push(place),
      log: { warn: (text) => warned.push(text) },
    });
    const type = (text: string) => {
      pick.value = text;
      changed?.fire(text);
    };
    /** The editor selects an item of the list that it displays. */
    const select = (index: number) => {
      pick.selectedItems = pick.items.slice(index, index + 1);
    };
    const enter = () => accepted?.fire(undefined);
    return { pick, type, select, enter, opened, searched, failing, told, warned, revealed, hide: pick.hide };
  }

  it('searches at the first key at once, and then for the last of several keys', () => {
    const { type, searched } = open();
    type('h');
    assert.deepEqual(searched, ['h']);
    for (const text of ['he', 'her', 'hero']) type(text);
    assert.deepEqual(searched, ['h']);
    mock.timers.tick(80);
    assert.deepEqual(searched, ['h', 'hero']);
  });

  it('says why when another program has locked the database, and is not opened', () => {
    const told: string[] = [];
    Object.assign(stub.window, {
      createQuickPick: () => assert.fail(),
      showWarningMessage: async (message: string) => void told.push(message),
    });
    searchConversations({
      conversations: {} as never,
      history: { search: assert.fail, isOpen: () => false },
      reveal: () => assert.fail(),
      log: { warn: assert.fail },
    });
    assert.deepEqual(told, [
      'Another program has locked the conversation database. Try again when it is free.',
    ]);
  });

  it('says in its title when there are more results than it lists', () => {
    const { pick, type } = open();
    type('many');
    assert.equal(pick.title, 'Search Conversations: the first 50 results');
    assert.equal(pick.items.length, 100);
    type('few');
    mock.timers.tick(80);
    assert.equal(pick.title, 'Search Conversations');
  });

  it('finds titles, too, with and without emoji and accents, each conversation once', () => {
    const titled = (id: string, title: string) => ({ ...hit(id, ''), id, title });
    const list = () => [
      titled('c1', 'Café 🎉 of the heron'),
      titled('heron', 'My heron'),
      titled('c3', 'Else'),
    ];
    const { pick, type, select, enter, opened } = open({ list } as never);
    const labelsOf = (text: string) => {
      type(text);
      mock.timers.tick(80);
      return pick.items.flatMap((item) =>
        'label' in item && !String(item.label).startsWith('$') ? [item.label] : [],
      );
    };
    assert.deepEqual(labelsOf('heron'), [
      'Café 🎉 of the heron',
      'Title $ (zap) heron',
      'Title $ (zap) other heron',
    ]);
    assert.deepEqual(labelsOf('"cafe 🎉" HER').slice(0, 1), ['Café 🎉 of the heron']);
    assert.deepEqual(labelsOf('"🎉 café"').slice(0, 1), ['Title $ (zap) "🎉 café"']);
    assert.deepEqual(labelsOf(''), []);
    labelsOf('🎉');
    select(0);
    enter();
    assert.deepEqual(opened, ['c1']);
  });

  it('does not search any more when it is closed', () => {
    const { type, searched, hide } = open();
    type('h');
    type('he');
    hide();
    mock.timers.tick(80);
    assert.deepEqual(searched, ['h']);
  });

  it('opens what is selected when Enter is pressed', () => {
    const { type, select, enter, opened } = open();
    type('h');
    select(2);
    enter();
    assert.deepEqual(opened, ['other h']);
  });

  it('opens the first result for what is typed when Enter comes before the search', () => {
    const { type, select, enter, opened, searched } = open();
    type('h');
    select(2);
    type('hero');
    enter();
    assert.deepEqual([opened, searched], [['hero'], ['h', 'hero']]);
    mock.timers.tick(80);
    assert.deepEqual(searched, ['h', 'hero']);
  });

  it('opens the first result for what is typed when Enter comes before its list is displayed', () => {
    const { type, select, enter, opened } = open();
    type('h');
    select(2);
    mock.timers.tick(80);
    type('hero');
    enter();
    assert.deepEqual(opened, ['hero']);
  });

  it('stays open when nothing is found for what is typed', () => {
    const { type, select, enter, opened } = open();
    type('h');
    select(0);
    type('nothing');
    enter();
    assert.deepEqual(opened, []);
    type('hero');
    enter();
    assert.deepEqual(opened, ['hero']);
  });

  const settled = () => new Promise((resolve) => setImmediate(resolve));

  /** A conversation in which the result is on a branch that isn't shown. */
  const withBranch = conversation('h', [exchange('e2', 'Edited', [])], {
    branches: [{ after: undefined, exchanges: [exchange('h', 'Original', [])] }],
  });

  it('says that the result can’t be shown while an answer runs in another version, and reveals nothing', async () => {
    for (const isShown of [false, true]) {
      const { type, select, enter, opened, told, revealed } = open({
        get: () => withBranch,
        showBranch: () => isShown,
        isUnread: () => false,
      });
      type('h');
      select(1);
      enter();
      await settled();
      const why =
        'The result is in another version of this conversation. Search again when the answer has ended.';
      assert.deepEqual([opened, told], [['h'], isShown ? [] : [why]]);
      assert.deepEqual(revealed, isShown ? [{ exchangeId: 'h', part: 'answer' }] : []);
      mock.timers.reset();
    }
  });

  it('says that another version can’t be shown because the conversation can’t be read', async () => {
    const { type, select, enter, told } = open({
      get: () => withBranch,
      showBranch: () => false,
      isUnread: () => true,
    });
    type('h');
    select(1);
    enter();
    await settled();
    assert.deepEqual(told, ['The conversation can’t be read now. Try again later.']);
  });

  it('says that the conversation of a result is deleted, or can’t be read', async () => {
    for (const isUnread of [false, true]) {
      const { type, select, enter, opened, told } = open({ get: () => undefined, isUnread: () => isUnread });
      type('h');
      select(1);
      enter();
      await settled();
      const why = isUnread
        ? 'The conversation can’t be read now. Try again later.'
        : '“Title $(zap) h” was deleted.';
      assert.deepEqual([opened, told], [[], [why]]);
      mock.timers.reset();
    }
  });

  it('says why nothing is found when the search fails, and searches again when that is selected', () => {
    for (const [errcode, why] of [
      [5, 'Another program has locked the conversation database. Try again when it is free.'],
      [11, 'The search failed. To see why, run “K3: Show Log”.'],
    ] as const) {
      const { pick, type, select, enter, failing, opened, warned } = open();
      failing.errcode = errcode;
      type('h');
      assert.deepEqual(
        (pick.items as readonly { label: string }[]).map(({ label }) => label),
        [`$(warning) ${why}`],
      );
      assert.equal(warned.length, 1);
      select(0);
      enter();
      assert.equal(pick.items.length, 1);
      failing.errcode = undefined;
      select(0);
      enter();
      assert.deepEqual([pick.items.length, opened], [4, []]);
      select(0);
      enter();
      assert.deepEqual(opened, ['h']);
      mock.timers.reset();
    }
  });
});
