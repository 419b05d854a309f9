import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import * as stub from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import {
  answer,
  conversationOf,
  exchangeOf,
  finish,
  reasoning,
  SERVICE_ENDED,
  turnOf,
} from '../../conversation/turns.ts';

const { searchReasoning } = await withEditorStub(
  () => import('../../../../src/editor/reasoning/reasoningSearch.ts'),
);

const turn = (...texts: readonly string[]) =>
  turnOf([...texts.map((text) => reasoning(text)), answer('Yes.'), finish('stop'), SERVICE_ENDED]);

interface Item {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly alwaysShow: boolean;
  readonly turnId: string;
  readonly index: number;
}

/** Opens the list. Returns what it has, and functions that type a text and press Enter. */
function open(conversation: Conversation) {
  const [changed, accepted, hidden] = Array.from({ length: 3 }, () => new stub.EventEmitter<unknown>());
  const pick = {
    title: '',
    placeholder: '',
    value: '',
    items: [] as readonly Item[],
    selectedItems: [] as readonly Item[],
    sortByLabel: true,
    isOpen: false,
    onDidChangeValue: changed?.event,
    onDidAccept: accepted?.event,
    onDidHide: hidden?.event,
    show: () => {
      pick.isOpen = true;
    },
    hide: () => {
      pick.isOpen = false;
      hidden?.fire(undefined);
    },
    dispose: () => undefined,
  };
  Object.assign(stub.window, { createQuickPick: () => pick });
  searchReasoning(conversation, { warn: assert.fail });
  return {
    pick,
    type(text: string) {
      pick.value = text;
      changed?.fire(text);
    },
    enter(selected: Item | undefined = pick.items[0]) {
      pick.selectedItems = selected === undefined ? [] : [selected];
      accepted?.fire(undefined);
    },
  };
}

describe('Search Reasoning', () => {
  const { executeCommand } = stub.commands;
  const ran: unknown[] = [];
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    ran.length = 0;
    Object.assign(stub.commands, { executeCommand: async (...command: unknown[]) => ran.push(command) });
  });
  afterEach(() => {
    mock.timers.reset();
    Object.assign(stub.commands, { executeCommand });
    Reflect.deleteProperty(stub.window, 'createQuickPick');
  });

  const long = turn(
    'I read it.\n\n',
    `The log of $(zap):\n${'- a line of the log\n'.repeat(300)}- ECONNRESET\n\n`,
    'That is all.',
  );
  const conversation = conversationOf(
    exchangeOf('Does it $(work)?\nPlease check.', long),
    exchangeOf('', turn('Yes.')),
  );

  it('has no backslash before what the editor doesn’t take for an icon, such as code of a shell', () => {
    const { pick } = open(conversationOf(exchangeOf('Does it work?', turn('Run $(cat a.txt).'))));
    const [item] = pick.items;
    assert.deepEqual([item?.label, item?.detail], ['Run $ (cat a.txt)', 'Run $ (cat a.txt).']);
  });

  it('lists all steps at first, then those with what is typed, each with the words around it', () => {
    const { pick, type } = open(conversation);
    assert.deepEqual(
      [pick.title, pick.placeholder, pick.isOpen],
      ['Search Reasoning', 'Enter words from the reasoning', true],
    );
    assert.deepEqual(
      pick.items.map(({ label, description }) => [label, description]),
      [
        ['Yes', 'Step 1 of “Image”'],
        ['I read it', 'Step 1 of “Does it $ (work)?”'],
        ['The log of $ (zap)', 'Step 2 of “Does it $ (work)?”'],
        ['That is all', 'Step 3 of “Does it $ (work)?”'],
      ],
    );
    // The editor would hide the items whose match is not in what they show, and move others.
    assert.ok(pick.items.every(({ alwaysShow }) => alwaysShow) && !pick.sortByLabel);
    assert.equal(pick.items[1]?.detail, 'I read it.');
    assert.match(pick.items[2]?.detail ?? '', /^The log of \$ \(zap\): - a line.{100,200}…$/);
    type('econnreset');
    assert.deepEqual(
      pick.items.map(({ detail, turnId, index }) => [detail, turnId, index]),
      [['…line of the log - a line of the log - «ECONNRESET»', long.id, 1]],
    );
    type('nowhere');
    mock.timers.tick(80);
    assert.deepEqual(pick.items, []);
  });

  it('names the question of Continue as the chat does, and does not search what is sent in its place', () => {
    const { question } = exchangeOf('Go on where it was cut off.');
    const rest = { ...exchangeOf('rest', turn('So.')), question: { ...question, continues: long.id } };
    const { pick, type } = open(conversationOf(exchangeOf('Why?', long), rest));
    assert.equal(pick.items[0]?.description, 'Step 1 of “Continue”');
    type('cut off');
    assert.deepEqual(pick.items, []);
  });

  it('goes to the step that is selected', async () => {
    const { pick, enter } = open(conversation);
    enter(pick.items[2]);
    await Promise.resolve();
    assert.equal(pick.isOpen, false);
    assert.deepEqual(ran[0], ['_k3.selectStep', { turnId: long.id, index: 1, show: false }]);
  });

  it('has what was typed marked in the chat', async () => {
    const { type, enter } = open(conversation);
    type(' econnreset ');
    enter();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(ran[1], ['_k3.showStep', { turnId: long.id, index: 1, words: 'econnreset' }]);
  });

  it('goes to the first step of what is typed when Enter comes at once, and nowhere when there is none', async () => {
    const { pick, type, enter } = open(conversation);
    const [before] = pick.items;
    type('E');
    type('ECONN');
    enter(before);
    await Promise.resolve();
    assert.deepEqual(ran[0], ['_k3.selectStep', { turnId: long.id, index: 1, show: false }]);
    const other = open(conversation);
    other.type('nowhere');
    other.enter();
    assert.deepEqual([other.pick.isOpen, ran.length], [true, 2]);
  });

  it('says how many of many steps it lists', () => {
    const many = Array.from({ length: 400 }, (_, n) => `Step ${n} is here.\n\n`);
    const { pick, type } = open(conversationOf(exchangeOf('Q', turn(...many))));
    assert.deepEqual([pick.items.length, pick.title], [300, 'Search Reasoning: the first 300 of 400 steps']);
    type('399');
    assert.deepEqual([pick.items.length, pick.title], [1, 'Search Reasoning']);
  });

  it('says that there is no reasoning yet', () => {
    assert.equal(open(conversationOf(exchangeOf('Q', turn()))).pick.isOpen, false);
  });
});
