import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { HeldReference } from '../../../../src/editor/context/contextResult.ts';
import { activeTab, commands, registered, TabInputText, Uri, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerAttachCommands } = await withEditorStub(
  () => import('../../../../src/editor/composer/attachCommands.ts'),
);

describe('Add Selection to Chat', () => {
  afterEach(() => {
    Object.assign(window, { activeTextEditor: undefined });
  });

  it('adds what is selected in the editor that has the focus, also in an output channel', async () => {
    const added: HeldReference[] = [];
    const toEditor = (path: string, scheme: string, text: string) => ({
      document: {
        uri: Object.assign(new Uri(path), { scheme }),
        languageId: 'log',
        isClosed: false,
        getText: () => text,
      },
      selections: [
        { isEmpty: false, start: { line: 0, compareTo: () => 0 }, end: { line: 0, character: text.length } },
      ],
    });
    const file = toEditor('/sum.js', 'file', 'total');
    registerAttachCommands({
      attaching: {
        add: async (_: string, references: readonly HeldReference[]) => void added.push(...references),
      },
      conversations: { front: () => ({ id: 'c1' }) },
      lastEditor: { get: () => file },
    } as never);
    const add = async () => registered.get('k3.attachSelection')?.();
    Object.assign(window, { activeTextEditor: toEditor('/server', 'output', 'Killed') });
    await add();
    // In the box of a comment, it is the file around it.
    Object.assign(window, { activeTextEditor: toEditor('/commentinput-1-1.md', 'comment', 'Louder') });
    await add();
    const texts = added.map((one) => 'read' in one && one.read.ok && one.read.item.parts[0]?.text);
    assert.deepEqual(texts, ['Killed', 'total']);
  });
});

describe('Add Problems to Chat', () => {
  afterEach(() => {
    Object.assign(window, { activeTextEditor: undefined });
  });

  it('adds those of the file around the box of an edit in which the cursor is, and of all files while no editor is active', async () => {
    const added: HeldReference[] = [];
    const toEditor = (scheme: string, path: string) => ({
      document: { uri: Object.assign(new Uri(path), { scheme }) },
    });
    registerAttachCommands({
      attaching: {
        add: async (_: string, references: readonly HeldReference[]) => void added.push(...references),
      },
      conversations: { front: () => ({ id: 'c1' }) },
      lastEditor: { get: () => toEditor('file', '/sum.js') },
    } as never);
    for (const activeTextEditor of [toEditor('comment', '/commentinput-1-1.md'), undefined]) {
      Object.assign(window, { activeTextEditor });
      await registered.get('k3.attachProblems')?.();
    }
    assert.deepEqual(added, [{ kind: 'problems', uri: '/sum.js' }, { kind: 'problems' }]);
  });
});

describe('Add File to Chat', () => {
  afterEach(() => {
    activeTab.input = undefined;
  });

  it('adds no reasoning, which is in a conversation already', async () => {
    const added: HeldReference[] = [];
    const uriOf = (scheme: string, path: string) => Object.assign(new Uri(path), { scheme });
    let last = uriOf('file', '/sum.js');
    let picked = 0;
    Object.assign(window, { showOpenDialog: async () => void picked++ });
    registerAttachCommands({
      attaching: {
        add: async (_: string, references: readonly HeldReference[]) => void added.push(...references),
      },
      conversations: { front: () => ({ id: 'c1' }) },
      lastEditor: { get: () => ({ document: { uri: last } }) },
    } as never);
    const add = async () => registered.get('k3.attachFile')?.();
    const reasoning = uriOf('k3-reasoning', '/Reasoning');
    activeTab.input = Object.assign(new TabInputText(), { uri: reasoning });
    await add();
    last = reasoning;
    await add();
    activeTab.input = Object.assign(new TabInputText(), { uri: uriOf('file', '/max.js') });
    await add();
    assert.deepEqual([added.map((one) => 'uri' in one && one.uri), picked], [['/sum.js', '/max.js'], 1]);
    Reflect.deleteProperty(window, 'showOpenDialog');
  });

  it('shows the chat while it is read, where it can be removed', async () => {
    const shown: unknown[] = [];
    const { executeCommand } = commands;
    Object.assign(commands, { executeCommand: async (...all: readonly unknown[]) => void shown.push(all) });
    registerAttachCommands({
      // As on a network drive that doesn’t answer.
      attaching: { add: () => new Promise(() => undefined) },
      conversations: { front: () => ({ id: 'c1' }) },
      lastEditor: { get: () => undefined },
    } as never);
    void registered.get('k3.attachFile')?.(...([new Uri('/slow/a.ts')] as never[]));
    await new Promise(setImmediate);
    Object.assign(commands, { executeCommand });
    assert.deepEqual(shown, [['k3.focusChat', 'c1']]);
  });
});
