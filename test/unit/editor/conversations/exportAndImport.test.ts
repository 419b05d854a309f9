import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Question } from '../../../../src/conversation/question.ts';
import type { QueuedQuestion } from '../../../../src/conversation/queue.ts';
import { parseExport, toExport } from '../../../../src/history/exportedJson.ts';
import type { History } from '../../../../src/history/history.ts';
import { commands, window, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange, makeFolder, open, storeOn } from '../../history/support.ts';

const { createExportAndImport } = await withEditorStub(
  () => import('../../../../src/editor/conversations/exportAndImport.ts'),
);

const original = { ...window };
let told: string[];

const asked = (id: string, text = 'Why?') =>
  conversation(id, [exchange(`${id}-e1`, text, [{ ...completeTurn(), id: `${id}-t1` }])]);
const question = (text: string): Question => ({ text, images: [], origin: undefined });
const queued = (id: string): QueuedQuestion => ({ id, question: question('It waits') });

describe('The import of conversations', () => {
  beforeEach(() => {
    told = [];
    const files: Record<string, string> = {
      '/a.json': toExport(asked('a'), 0),
      '/c.json': toExport(asked('c'), 0),
      '/empty.json': toExport(conversation('empty', []), 0),
    };
    Object.assign(window, {
      showOpenDialog: async () => ['/a.json', '/gone.json', '/c.json'].map((path) => ({ path })),
      showErrorMessage: async (message: string) => void told.push(message),
      showInformationMessage: async (message: string) => void told.push(message),
    });
    Object.assign(workspace, {
      fs: {
        readFile: async ({ path }: { path: string }) =>
          files[path] === undefined ? Promise.reject(new Error('no access')) : Buffer.from(files[path]),
      },
    });
  });
  afterEach(() => {
    Object.assign(window, original);
    Reflect.deleteProperty(workspace, 'fs');
  });

  it('goes on after a file that can’t be read, names it, and says how many were imported', async () => {
    const imported: string[] = [];
    const files = createExportAndImport({
      conversations: {
        addImported: ({ id }: { id: string }) => ({ id: imported[imported.push(id) - 1], isNew: true }),
        open: () => true,
      },
    } as never);
    await files.importFiles();
    assert.deepEqual(imported, ['a', 'c']);
    assert.deepEqual(told, [
      'gone.json can’t be read: no access. Nothing was imported.',
      '2 conversations were imported.',
    ]);
  });

  it('imports no conversation without messages, which no list would show, and says so', async () => {
    Object.assign(window, { showOpenDialog: async () => [{ path: '/empty.json' }, { path: '/a.json' }] });
    const store = storeOn(open(await makeFolder()));
    const files = createExportAndImport({
      conversations: {
        addImported: (one: never) => store.putImported(one, { createdAt: 1, newId: () => 'new' }),
        open: () => true,
      },
    } as never);
    await files.importFiles();
    assert.deepEqual(told, [
      'empty.json has no messages. Nothing was imported.',
      '1 conversation was imported.',
    ]);
    assert.deepEqual(
      store.list().map(({ id }) => id),
      ['a'],
    );
  });

  it('says so when all of them were there already', async () => {
    Object.assign(window, { showOpenDialog: async () => [{ path: '/a.json' }] });
    const opened: string[] = [];
    const files = createExportAndImport({
      conversations: {
        addImported: ({ id }: { id: string }) => ({ id, isNew: false }),
        open: (id: string) => opened.push(id),
      },
    } as never);
    await files.importFiles();
    assert.deepEqual(
      [opened, told],
      [['a'], ['Nothing was imported. All conversations in the selected files are there already.']],
    );
  });
});

describe('The export of conversations', () => {
  /** The text of the file that was written. */
  let written: string | undefined;
  let format: string;
  let duringDialog: () => void;

  beforeEach(() => {
    [told, written, format, duringDialog] = [[], undefined, 'JSON', () => undefined];
    const tell = async (message: string) => void told.push(message);
    Object.assign(window, {
      showQuickPick: async (items: readonly { label: string }[]) =>
        items.find(({ label }) => label === format),
      async showSaveDialog() {
        duringDialog();
        return { path: '/out' };
      },
      showErrorMessage: tell,
      showInformationMessage: tell,
      showWarningMessage: tell,
      withProgress: async (_: unknown, task: (...about: unknown[]) => unknown) =>
        task({ report: () => undefined }, { isCancellationRequested: false }),
    });
    Object.assign(workspace, {
      fs: {
        async writeFile(_: unknown, bytes: Uint8Array) {
          written = Buffer.from(bytes).toString();
        },
      },
    });
  });
  afterEach(() => {
    Object.assign(window, original);
    Reflect.deleteProperty(workspace, 'fs');
  });

  async function filesOn(change: (history: History) => History = (history) => history) {
    const store = storeOn(change(open(await makeFolder())), [], () => undefined);
    const front = () => store.get('c1') ?? store.removed('c1');
    const conversations = { ...store, deleted: store.removed, front };
    return { store, files: createExportAndImport({ conversations } as never) };
  }
  const titles = () => {
    const read = parseExport(written ?? '');
    return read.ok ? read.conversations.map(({ title }) => title) : read.problem;
  };

  it('of all says how many could not be read, and counts what was deleted meanwhile as neither', async () => {
    let isLocked = false;
    const { store, files } = await filesOn((history) => ({
      ...history,
      load(id) {
        if (isLocked && id !== 'c3') throw Object.assign(new Error('locked'), { errcode: 5 });
        return history.load(id);
      },
    }));
    for (let i = 1; i <= 24; i++) store.put(asked(`c${i}`), `c${i}-e1`);
    duringDialog = () => {
      isLocked = true;
      store.remove('c24');
    };
    await files.exportAll();
    // What is in memory needs no reading.
    assert.deepEqual(told, [
      '20 conversations were exported. 3 conversations couldn’t be read and were not exported. Try again later.',
    ]);
  });

  it('of all writes no file when nothing can be read', async () => {
    const { store } = await filesOn();
    store.put(asked('c1'), 'c1-e1');
    const others = { ...store, get: () => undefined };
    await createExportAndImport({ conversations: others } as never).exportAll();
    assert.deepEqual(told, ['1 conversation couldn’t be read and was not exported. Try again later.']);
    assert.equal(written, undefined);
  });

  it('of all has only conversations with messages, and says that it is without what was not sent', async () => {
    const { store, files } = await filesOn();
    store.put(asked('c1'), 'c1-e1');
    store.put(conversation('c2', []));
    store.putDraft('c2', 'A long draft');
    await files.exportAll();
    assert.deepEqual(titles(), ['Title of c1']);
    assert.deepEqual(told, ['1 conversation was exported. What you haven’t sent yet is not in the file.']);
  });

  it('of all says that the database is locked since the window began, not that there is nothing', async () => {
    const { store } = await filesOn();
    const files = createExportAndImport({
      conversations: store as never,
      history: { isOpen: () => false },
    });
    await files.exportAll();
    assert.deepEqual(told, [
      'Another program has locked the conversation database. Try again when it is free.',
    ]);
  });

  it('of all says that there is nothing to export when nothing was sent', async () => {
    const { store, files } = await filesOn();
    store.put(conversation('c1', []));
    store.putDraft('c1', 'A long draft');
    await files.exportAll();
    assert.deepEqual(told, ['There is no conversation to export.']);
    assert.equal(written, undefined);
  });

  it('is opened by the editor, which shows extensions no file above 50 MB, as one with images can be', async () => {
    const { files, store } = await filesOn();
    store.put(asked('c1'), 'c1-e1');
    const opened: unknown[] = [];
    const { executeCommand } = commands;
    Object.assign(window, {
      showInformationMessage: async (_: string, open: string) => open,
      showTextDocument: () =>
        Promise.reject(new Error('Files above 50MB cannot be synchronized with extensions.')),
    });
    Object.assign(commands, { executeCommand: async (...about: unknown[]) => void opened.push(about) });
    try {
      await files.exportOne(undefined, undefined);
    } finally {
      Object.assign(commands, { executeCommand });
    }
    assert.deepEqual(opened, [['vscode.open', { path: '/out' }]]);
  });

  it('says that what waits in the queue is not in the file', async () => {
    const { store, files } = await filesOn();
    store.put(asked('c1'), 'c1-e1');
    store.enqueue('c1', queued('q1'));
    for (format of ['JSON', 'Markdown']) {
      await files.exportOne(undefined, undefined);
      assert.deepEqual(told.splice(0), [
        'The conversation was exported. What you haven’t sent yet is not in the file.',
      ]);
    }
  });

  it('has the answer that ends while the dialogs are open', async () => {
    const { store, files } = await filesOn();
    store.put(asked('c1', 'Before'), 'c1-e1');
    duringDialog = () => store.put(asked('c1', 'Afterwards'), 'c1-e1');
    for (format of ['JSON', 'Markdown']) {
      await files.exportOne(undefined, undefined);
      assert.match(written ?? '', /Afterwards/);
    }
  });

  it('says that a deleted conversation has to be restored first, also one that is deleted meanwhile', async () => {
    const { store, files } = await filesOn();
    store.put(asked('c1'), 'c1-e1');
    duringDialog = () => store.remove('c1');
    await files.exportOne(undefined, undefined);
    await files.exportOne(undefined, undefined);
    const why = 'The conversation was deleted. Restore it to export it.';
    assert.deepEqual(told, [why, why]);
    assert.equal(written, undefined);
  });

  it('says that a conversation can’t be read, or has no messages', async () => {
    const { store, files } = await filesOn();
    await files.exportOne('c9', undefined);
    store.put(conversation('c1', []));
    await files.exportOne('c1', undefined);
    assert.deepEqual(told, [
      'The conversation can’t be read now. Try again later.',
      'The conversation has no messages that can be exported.',
    ]);
    assert.equal(written, undefined);
  });
});
