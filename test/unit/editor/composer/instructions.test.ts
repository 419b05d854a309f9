/** The instructions of the project in the message box and in a question: read, left out, and taken back. */
import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import type { ContextItem } from '../../../../src/conversation/context/context.ts';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import { type Choices, NOTHING_CHOSEN, NOTHING_UNSENT } from '../../../../src/conversation/unsent.ts';
import { withInstructions } from '../../../../src/instructions/dueInstructions.ts';
import type { FoundInstructions } from '../../../../src/instructions/findInstructions.ts';
import * as stub from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const loadRooms = () =>
  withEditorStub(async () => ({
    ...(await import('../../../../src/editor/composer/instructions.ts')),
    ...(await import('../../../../src/editor/composer/composers.ts')),
    ...(await import('../../../../src/editor/context/attachments.ts')),
    ...(await import('../../../../src/editor/composer/instructionFiles.ts')),
    ...(await import('../../../../src/editor/composer/prompts.ts')),
  }));
let rooms: Awaited<ReturnType<typeof loadRooms>>;

const agents = (text: string): ContextItem => ({
  kind: 'instructions',
  label: 'AGENTS.md',
  uri: 'file:///w/AGENTS.md',
  parts: [{ label: 'AGENTS.md', text }],
});
const FILE: ContextItem = { kind: 'file', label: 'a.ts', uri: 'file:///w/a.ts', parts: [] };
const question = { text: 'Why?', images: [], origin: undefined };

let now: Conversation;
let isInMemory: boolean;
let found: FoundInstructions;
/** What is chosen in each conversation, as all windows know it. */
let saved: Record<string, Choices>;
let fails: boolean;
/** Called while the files are being read. */
let meanwhile: (() => Promise<void>) | undefined;
let asked: (readonly string[])[];
let touched: stub.EventEmitter<unknown>;
let changed: stub.EventEmitter<never>;
let closers: (() => void)[];

function openWindow() {
  const composers = rooms.createComposers(
    {
      get: () => now,
      draft: () => '',
      putDraft: () => undefined,
      unsent: () => NOTHING_UNSENT,
      isUnsentUnread: () => false,
      choices: () => NOTHING_CHOSEN,
      putUnsent: () => undefined,
      queue: () => [],
      enqueue: assert.fail,
    },
    { get: () => undefined, set: () => undefined },
  );
  const log = { warn: (line: string) => assert.match(line, /disk/) };
  const instructions = rooms.createInstructions({
    conversations: {
      loaded: () => (isInMemory ? [now] : []),
      choices: (id) => saved[id] ?? NOTHING_CHOSEN,
      putUnsent(id, parts) {
        saved[id] = { ...NOTHING_CHOSEN, ...parts };
      },
      onDidChange: changed.event as never,
    },
    composers,
    async read(files) {
      asked.push(files);
      if (fails) throw new Error('the disk is gone');
      const read = found;
      await meanwhile?.();
      return read;
    },
    onDidTouch: touched.event as never,
    log,
  });
  closers.push(
    () => instructions.dispose(),
    () => composers.dispose(),
  );
  return { instructions, composers, composer: composers.of('c1') };
}

describe('The instructions of a conversation', () => {
  before(async () => {
    rooms = await loadRooms();
  });
  beforeEach(() => {
    now = conversation('c1', []);
    found = { items: [agents('Be brief.')], omitted: [{ label: 'x/AGENTS.md', why: 'ignored' }] };
    [saved, asked, closers, fails, meanwhile, isInMemory] = [{}, [], [], false, undefined, true];
    touched = new stub.EventEmitter();
    changed = new stub.EventEmitter();
  });
  afterEach(() => {
    for (const close of closers) close();
  });

  it('are shown for the next message, and follow files, attachments, and what was sent', async () => {
    const { composer, composers, instructions } = openWindow();
    await eventually(() => assert.deepEqual(composer.instructions, found));
    composer.context = [rooms.toAttached(FILE)];
    composers.changed('c1');
    await eventually(() => assert.deepEqual(asked.at(-1), ['file:///w/a.ts']));
    found = { items: [agents('Be long.')], omitted: [] };
    touched.fire(undefined);
    await eventually(() => assert.deepEqual(composer.instructions, found));
    const due = await instructions.due('c1', now.exchanges, question);
    assert.deepEqual(due, found.items);
    now = conversation('c1', [
      { ...exchange('e1', 'Why?', [completeTurn()]), question: withInstructions(question, due) },
    ]);
    touched.fire(undefined);
    await eventually(() => assert.deepEqual(composer.instructions.items, []));
    assert.deepEqual(await instructions.due('c1', now.exchanges, question), []);
  });

  it('go away when they are sent, before files are read again, and those that have changed since stay', async () => {
    const { composer } = openWindow();
    await eventually(() => assert.equal(composer.instructions.items.length, 1));
    meanwhile = () => new Promise(() => undefined);
    const answering = { type: 'turn', conversationId: 'c1', turn: { outcome: undefined } };
    const sent = withInstructions(question, composer.instructions.items);
    now = conversation('c1', [{ ...exchange('e1', 'Why?', [completeTurn()]), question: sent }]);
    changed.fire(answering as never);
    assert.deepEqual(composer.instructions, { items: [], omitted: found.omitted });
    const renewed = { items: [{ ...agents('Be long.'), replaces: true as const }], omitted: [] };
    composer.instructions = renewed;
    changed.fire(answering as never);
    assert.deepEqual(composer.instructions, renewed);
  });

  it('are the newest ones, also if earlier ones were read late', async () => {
    let end: () => void = assert.fail;
    meanwhile = () => {
      meanwhile = undefined;
      return new Promise((resolve) => {
        end = resolve;
      });
    };
    const { composer } = openWindow();
    await eventually(() => assert.equal(asked.length, 1));
    found = { items: [agents('Be long.')], omitted: [] };
    touched.fire(undefined);
    await eventually(() => assert.deepEqual(composer.instructions, found));
    end();
    await new Promise(setImmediate);
    assert.deepEqual(composer.instructions, found);
  });

  it('are not read again while the user types', async () => {
    const { composer, composers } = openWindow();
    await eventually(() => assert.equal(composer.instructions.items.length, 1));
    await eventually(() => assert.ok(asked.length > 0));
    const before = asked.length;
    for (let at = 0; at < 5; at++) composers.changed('c1');
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(asked.length, before);
  });

  it('are not read for a conversation that is no longer in memory, until it is shown again', async () => {
    const { composer, instructions } = openWindow();
    await eventually(() => assert.deepEqual(composer.instructions, found));
    isInMemory = false;
    found = { items: [agents('Be long.')], omitted: [] };
    const before = asked.length;
    touched.fire(undefined);
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(asked.length, before);
    isInMemory = true;
    instructions.check();
    await eventually(() => assert.deepEqual(composer.instructions, found));
  });

  it('that the user removed are left out until they are taken back, also after a reload', async () => {
    const first = openWindow();
    await eventually(() => assert.equal(first.composer.instructions.items.length, 1));
    first.instructions.leaveOut('c1', true);
    assert.deepEqual(first.composer.instructions.items, []);
    assert.deepEqual(await first.instructions.due('c1', [], question), []);
    assert.equal((await first.instructions.due('c2', [], question)).length, 1);
    const second = openWindow();
    assert.equal(second.instructions.isLeftOut('c1'), true);
    assert.deepEqual(await second.instructions.due('c1', [], question), []);
    // The first window follows the second, which is open on the same conversation.
    second.instructions.leaveOut('c1', false);
    assert.equal(first.instructions.isLeftOut('c1'), false);
    changed.fire({ type: 'listed' } as never);
    await eventually(() => assert.equal(first.composer.instructions.items.length, 1));
    assert.equal((await second.instructions.due('c1', [], question)).length, 1);
    await eventually(() => assert.equal(second.composer.instructions.items.length, 1));
  });

  it('that the user removes while they are read for a message don’t go with it', async () => {
    const { instructions } = openWindow();
    const due = () => instructions.due('c1', [], question);
    meanwhile = async () => instructions.leaveOut('c1', true);
    assert.deepEqual(await due(), []);
    meanwhile = async () => instructions.leaveOut('c1', false);
    instructions.leaveOut('c1', false);
    assert.deepEqual(await due(), found.items);
  });

  it('that were sent and then removed are said to have ended, with the next question and in the message box', async () => {
    const { instructions, composer } = openWindow();
    const sent = [
      {
        ...exchange('e1', 'Why?', [completeTurn()]),
        question: withInstructions(question, [agents('Be brief.')]),
      },
    ];
    now = conversation('c1', sent);
    const { parts, ...rest } = agents('');
    const ended = { ...rest, parts: [], ended: true as const };
    instructions.leaveOut('c1', true);
    assert.deepEqual(await instructions.due('c1', sent, question), [ended]);
    await eventually(() => assert.deepEqual(composer.instructions.items, [ended]));
    assert.deepEqual(await instructions.due('c1', sent, { ...question, continues: 't1' }), []);
    const told = [
      ...sent,
      {
        ...exchange('e2', 'So?', [completeTurn()]),
        question: withInstructions(question, [ended]),
      },
    ];
    now = conversation('c1', told);
    assert.deepEqual(await instructions.due('c1', told, question), []);
    await eventually(() => assert.deepEqual(composer.instructions.items, []));
    // Taken back, they are sent as if for the first time.
    instructions.leaveOut('c1', false);
    assert.deepEqual(await instructions.due('c1', told, question), [agents('Be brief.')]);
    // What reading finds ended is said, too, and nothing is when the reading fails.
    found = { items: [], omitted: [], ended: [agents('Be brief.')] };
    assert.deepEqual(await instructions.due('c1', sent, question), [ended]);
    fails = true;
    assert.deepEqual(await instructions.due('c1', sent, question), []);
  });

  it('stop no question: not when they can’t be read, and not the rest of an answer', async () => {
    const { instructions } = openWindow();
    assert.deepEqual(await instructions.due('c1', [], { ...question, continues: 't1' }), []);
    fails = true;
    assert.deepEqual(await instructions.due('c1', [], question), []);
  });

  it('are not read in Restricted Mode, nor when they are turned off, and prompts of the workspace aren’t either', async () => {
    const { workspace } = stub as { workspace: Record<string, unknown> };
    const before = { ...workspace };
    const folders = () => assert.fail('the folders were read');
    try {
      Object.defineProperty(workspace, 'workspaceFolders', { get: folders, configurable: true });
      workspace['isTrusted'] = false;
      assert.deepEqual(await rooms.readInstructions([], { whichAllowed: assert.fail }), {
        items: [],
        omitted: [],
      });
      const open = () =>
        rooms.createPrompts({
          lastEditor: { get: () => undefined },
          reads: { allows: assert.fail, whichAllowed: assert.fail },
        });
      // The names of prompts are looked at, to say that their texts are not.
      await assert.rejects(open().expand('/races'), /the folders were read/);
      await assert.rejects(open().choices(''), /the folders were read/);
      workspace['isTrusted'] = true;
      await assert.rejects(
        rooms.readInstructions([], { whichAllowed: assert.fail }),
        /the folders were read/,
      );
      await assert.rejects(open().expand('/races'), /the folders were read/);
      // The user has turned them off, and the workspace on.
      workspace['getConfiguration'] = () => ({
        get: () => 'on',
        inspect: () => ({ globalValue: 'off', workspaceValue: 'on' }),
      });
      assert.deepEqual(await rooms.readInstructions([], { whichAllowed: assert.fail }), {
        items: [],
        omitted: [],
        ended: [],
      });
    } finally {
      Reflect.deleteProperty(workspace, 'workspaceFolders');
      Reflect.deleteProperty(workspace, 'isTrusted');
      Object.assign(workspace, before);
    }
  });
});
