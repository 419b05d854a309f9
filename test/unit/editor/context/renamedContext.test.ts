/** The files of what is attached or queued after renames, of which only those since then count. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ContextItem } from '../../../../src/conversation/context/context.ts';
import type { QueuedQuestion } from '../../../../src/conversation/queue.ts';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import type { ContextWatch } from '../../../../src/editor/composer/contextWatch.ts';
import type { AttachedContext } from '../../../../src/editor/context/attachments.ts';
import { EventEmitter, FileType, Uri, workspace } from '../../../support/editorStub.ts';
import { createFileSystemWatcher, noEvent } from '../../../support/silentWatcher.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createContextWatch } = await withEditorStub(
  () => import('../../../../src/editor/composer/contextWatch.ts'),
);

const [A, B, C] = ['a', 'b', 'c'].map((name) => `file:///${name}.ts`) as [string, string, string];
const UNTITLED = 'untitled:Untitled-1';

const fileItem = (uri: string): ContextItem => ({
  kind: 'file',
  label: uri,
  uri,
  parts: [{ label: uri, text: 'text\n' }],
});

describe('The files of what is attached or queued', () => {
  const before = { ...workspace };
  const renamed = new EventEmitter<object>();
  const opened = new EventEmitter<string>();
  let files: Set<string>;
  let documents: object[];
  let context: AttachedContext[];
  let queue: QueuedQuestion[];
  let watch: ContextWatch;

  beforeEach(() => {
    [files, documents, context, queue] = [new Set(), [], [], []];
    Object.defineProperty(Uri.prototype, 'scheme', {
      configurable: true,
      get(this: Uri) {
        return this.path.split(':')[0];
      },
    });
    Object.assign(workspace, {
      textDocuments: documents,
      onDidRenameFiles: renamed.event,
      fs: {
        isWritableFileSystem: (scheme: string) => scheme === 'file' || undefined,
        stat: async (uri: Uri) =>
          files.has(uri.toString())
            ? { type: FileType.File, size: 10 }
            : Promise.reject(new Error('no such file')),
        readFile: async (uri: Uri) => Buffer.from(`all of ${uri}`),
      },
      decode: async (bytes: Buffer) => String(bytes),
      createFileSystemWatcher,
      onDidSaveTextDocument: noEvent,
    });
    const composer = () => ({ context, queue }) as unknown as Composer;
    watch = createContextWatch({
      composers: {
        of: composer,
        all: () => [['one', composer()] as const],
        changed: () => undefined,
        onDidRestoreContext: noEvent,
        onDidOpen: opened.event,
      },
      allows: async () => true,
      log: { warn: assert.fail },
    });
  });
  afterEach(() => {
    watch.dispose();
    Reflect.deleteProperty(Uri.prototype, 'scheme');
    for (const name of ['fs', 'decode', 'createFileSystemWatcher', 'onDidSaveTextDocument'])
      Reflect.deleteProperty(workspace, name);
    Object.assign(workspace, before);
  });

  function rename(from: string, to: string): void {
    files.delete(from);
    files.add(to);
    renamed.fire({ files: [{ oldUri: Uri.parse(from), newUri: Uri.parse(to) }] });
  }

  const save = (from: string, to: string) =>
    watch.followed.move(Uri.parse(from) as never, Uri.parse(to) as never);

  function attach(uri: string): () => Promise<string | undefined> {
    files.add(uri);
    const id = `attached ${context.length + 1}`;
    context.push({ id, item: fileItem(uri), changed: false });
    return async () => {
      const one = context.find((attached) => attached.id === id) ?? assert.fail();
      return (await watch.withNameNow(one.item, one.id)).uri;
    };
  }

  function enqueue(uri: string): () => Promise<string | undefined> {
    files.add(uri);
    const question = { text: 'Why?', images: [], origin: undefined, context: [fileItem(uri)] };
    const queued = { id: `queued ${queue.length + 1}`, question };
    queue.push(queued);
    return async () => (await watch.withNamesNow(queued))[0]?.uri;
  }

  for (const [name, put] of [
    ['attached', attach],
    ['queued', enqueue],
  ] as const) {
    it(`are not those that had their names before, also when they are gone: ${name}`, async () => {
      files.add(A);
      rename(A, B);
      const uriNow = put(A);
      assert.equal(await uriNow(), A);
      files.delete(A);
      assert.equal(await uriNow(), A);
      files.add(A);
      rename(A, C);
      assert.equal(await uriNow(), C);
    });

    it(`have their names after all renames since then, also if others have got their names: ${name}`, async () => {
      const uriNow = put(A);
      rename(A, B);
      const other = put(A);
      assert.deepEqual([await uriNow(), await other()], [B, A]);
      files.delete(B);
      assert.equal(await uriNow(), B, 'what was attached is gone, and the other file is not it');
      files.add(B);
      rename(A, C);
      rename(B, A);
      assert.deepEqual([await uriNow(), await other()], [A, C]);
    });
  }

  it('are not those of an untitled document that gets the name of one that was saved', async () => {
    const queued = enqueue(UNTITLED);
    save(UNTITLED, A);
    files.add(A);
    documents.push({ uri: Uri.parse(UNTITLED), isDirty: true });
    assert.equal(await queued(), A);
  });

  it('keep the name that they got when something else had that name before', async () => {
    const uriNow = attach(A);
    rename(B, C);
    rename(A, B);
    const [one = assert.fail()] = context;
    context = [{ ...one, item: await watch.withNameNow(one.item, one.id) }];
    assert.equal(await uriNow(), B);
    files.delete(B);
    assert.equal(await uriNow(), B);
  });

  it('are not the new file while text of theirs that isn’t saved is open under the old name', async () => {
    const uriNow = attach(A);
    documents.push({ uri: Uri.parse(A), isDirty: true });
    files.delete(A);
    save(A, B);
    assert.equal(await uriNow(), A);
  });

  it('are followed under the names that they have now, also those of queued messages', () => {
    attach(A);
    enqueue(UNTITLED);
    rename(A, B);
    save(UNTITLED, C);
    assert.deepEqual(
      watch.followed.files().map(({ uri, text }) => [uri, text]),
      [
        [B, 'text\n'],
        [C, 'text\n'],
      ],
    );
  });

  const selectionIn = (uri: string): ContextItem => ({
    kind: 'selection',
    label: `${uri}:1`,
    uri,
    parts: [{ label: uri, range: { startLine: 0, endLine: 0 }, text: 'all of' }],
  });
  /** The texts by which files are found that another program renames. */
  const textsOf = () => watch.followed.files().map(({ text }) => text);
  const pass = async () => {
    for (let turns = 0; turns < 40; turns++) await Promise.resolve();
  };

  it('have their complete texts to be found by, also if only a part was attached and they are not open', async () => {
    files.add(A);
    context.push({ id: 'attached', item: selectionIn(A), changed: false });
    watch.hold('one');
    await pass();
    assert.deepEqual(textsOf(), [`all of ${A}`]);
    queue.push({
      id: 'queued',
      question: { text: 'Why?', images: [], origin: undefined, context: [selectionIn(A)] },
    });
    context = [];
    assert.deepEqual(textsOf(), [`all of ${A}`]);
  });

  it('have their complete texts as well if they were queued before the window was opened', async () => {
    files.add(A);
    queue.push({
      id: 'queued',
      question: { text: 'Why?', images: [], origin: undefined, context: [selectionIn(A)] },
    });
    opened.fire('one');
    await pass();
    assert.deepEqual(textsOf(), [`all of ${A}`]);
  });
});
