/** Files that another program renames, in the order in which the editor reports it. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { EventEmitter, FileSystemError, FileType, Uri, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createMovedFiles, createRemarks } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/proposals/movedFiles.ts')),
  ...(await import('../../../../src/editor/proposals/remarks.ts')),
}));

const [OLD, NEW] = ['file:///old.txt', 'file:///new.txt'];

describe('A file that another program renames', () => {
  const before = { ...workspace };
  const never = () => ({ dispose: () => undefined });
  let report: Record<'create' | 'delete', (uri: Uri) => void>;
  let disk: { readFile?: () => Promise<Uint8Array> };

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    report = { create: () => assert.fail(), delete: () => assert.fail() };
    const keep = (kind: keyof typeof report) => (listener: (uri: Uri) => void) => {
      report[kind] = listener;
      return never();
    };
    disk = {};
    Object.assign(workspace, {
      createFileSystemWatcher: () => ({
        onDidCreate: keep('create'),
        onDidDelete: keep('delete'),
        onDidChange: never,
        dispose: () => undefined,
      }),
      onDidCloseTextDocument: never,
      openTextDocument: async (uri: Uri) => ({
        getText: () => ([OLD, NEW].includes(uri.toString()) ? 'text\n' : ''),
      }),
      fs: Object.assign(disk, {
        isWritableFileSystem: () => true,
        async stat(uri: Uri) {
          if (uri.toString() === OLD) throw new FileSystemError('FileNotFound');
          return { type: FileType.File };
        },
      }),
    });
  });
  afterEach(() => {
    mock.timers.reset();
    for (const name of ['createFileSystemWatcher', 'onDidCloseTextDocument', 'fs', 'decode'])
      Reflect.deleteProperty(workspace, name);
    Object.assign(workspace, before);
  });

  async function pass(ms: number): Promise<void> {
    mock.timers.tick(ms);
    // What was started reads files.
    for (let turns = 0; turns < 40; turns++) await Promise.resolve();
  }

  function follow(): string[] {
    const told: string[] = [];
    createMovedFiles({ warn: assert.fail }).follow({
      files: () => (told.length > 0 ? [] : [{ uri: OLD, text: 'text\n' }]),
      move: (from, to) => told.push(`${from} ${to}`),
    });
    return told;
  }

  it('is found when a comparison falls between the two reports', async () => {
    const told = follow();
    report.create(Uri.parse('file:///other.bin'));
    await pass(900);
    report.create(Uri.parse(NEW));
    await pass(200);
    report.delete(Uri.parse(OLD));
    await pass(1000);
    assert.deepEqual(told, [`${OLD} ${NEW}`]);
    await pass(5000);
    assert.equal(told.length, 1);
  });

  it('is found by what is on the disk where its new name is open and the editor has not read it again', async () => {
    const document = { uri: Uri.parse(NEW), isDirty: false, getText: () => 'text of the replaced one\n' };
    disk.readFile = async () => Buffer.from('text\n');
    Object.assign(workspace, {
      decode: async (bytes: Uint8Array) => String(bytes),
      textDocuments: [document],
    });
    for (const isDirty of [true, false]) {
      document.isDirty = isDirty;
      const told = follow();
      report.create(Uri.parse(NEW));
      report.delete(Uri.parse(OLD));
      await pass(1000);
      await pass(1000);
      assert.deepEqual(told, isDirty ? [] : [`${OLD} ${NEW}`]);
    }
  });

  it('is found although another file that had the same text was gone for a moment', async () => {
    const other = 'file:///other.txt';
    const told: string[] = [];
    createMovedFiles({ warn: assert.fail }).follow({
      files: () => [OLD, other].map((uri) => ({ uri, text: 'text\n' })),
      move: (from, to) => told.push(`${from} ${to}`),
    });
    report.delete(Uri.parse(other));
    report.create(Uri.parse(other));
    report.create(Uri.parse(NEW));
    report.delete(Uri.parse(OLD));
    await pass(1000);
    await pass(1000);
    assert.deepEqual(told, [`${OLD} ${NEW}`]);
  });

  it('is not found when the reports are further apart', async () => {
    const told = follow();
    report.create(Uri.parse(NEW));
    await pass(1000);
    await pass(1000);
    await pass(1000);
    report.delete(Uri.parse(OLD));
    await pass(1000);
    await pass(1000);
    assert.deepEqual(told, []);
  });

  it('takes its hunks and comments along when it was not opened since the window was reloaded', async () => {
    const moved = createMovedFiles({ warn: assert.fail });
    let file = OLD;
    moved.follow({
      files: () => [{ uri: file, text: 'text\n' }],
      move: (_, to) => {
        file = to.toString();
      },
    });
    const lines = { startLine: 0, endLine: 0, quote: 'text', hunk: undefined };
    const stored = [{ id: 'r', uri: OLD, text: 'Why?', ...lines }];
    const state = { get: () => stored, update: async () => undefined } as never;
    const remarks = createRemarks(state, { warn: assert.fail }, { of: () => 'free' } as never, moved);
    await pass(0);
    report.create(Uri.parse(NEW));
    report.delete(Uri.parse(OLD));
    await pass(1000);
    await pass(1000);
    assert.deepEqual([file, remarks.list().map(({ uri }) => uri)], [NEW, [NEW]]);
  });

  it('is known to what follows later, in the order of the renames, also of those of the editor', async () => {
    const renames = new EventEmitter<{ readonly files: readonly object[] }>();
    Object.assign(workspace, { onDidRenameFiles: renames.event });
    const moved = createMovedFiles({ warn: assert.fail });
    let files = [{ uri: OLD, text: 'text\n' }];
    moved.follow({
      files: () => files,
      move: () => {
        files = [];
      },
    });
    report.create(Uri.parse(NEW));
    report.delete(Uri.parse(OLD));
    await pass(1000);
    await pass(1000);
    renames.fire({ files: [{ oldUri: Uri.parse(NEW), newUri: Uri.parse('file:///last.txt') }] });
    moved.moveAtOnce(new Map([['a', 'b']]));
    const told: string[] = [];
    moved.follow({
      files: () => [],
      move: (from, to) => told.push(`${from} ${to}`),
      moveAtOnce: (now) => told.push([...now].join()),
    });
    assert.deepEqual(told, [`${OLD} ${NEW}`, `${NEW} file:///last.txt`, 'a,b']);
  });

  it('is told later only to what is in it, and is read once for all that is in it', async () => {
    const looked: string[] = [];
    const stat = async (uri: Uri) => {
      looked.push(uri.toString());
      return { type: FileType.File };
    };
    Object.assign(workspace, { fs: { isWritableFileSystem: () => true, stat } });
    const moved = createMovedFiles({ warn: assert.fail });
    moved.moveAtOnce(new Map([['a', 'b']]));
    moved.moveAtOnce(new Map([['c', 'd']]));
    moved.moveAtOnce(new Map([['b', 'e']]));
    const told: string[] = [];
    let file = 'a';
    moved.follow({
      files: () => [{ uri: file }, { uri: file }],
      move: assert.fail,
      moveAtOnce(now) {
        told.push([...now].join());
        file = now.get(file) ?? file;
      },
    });
    await pass(0);
    assert.deepEqual([told, looked], [['a,b', 'b,e'], ['e']]);
  });

  it('is followed also if the editor has renamed it before, and it was not open', async () => {
    const renames = new EventEmitter<{ readonly files: readonly object[] }>();
    Object.assign(workspace, { onDidRenameFiles: renames.event });
    const first = 'file:///first.txt';
    const told: string[] = [];
    let file = first;
    const moved = createMovedFiles({ warn: assert.fail });
    moved.follow({ files: () => [{ uri: file }], move: (from, to) => void told.push(`${from} ${to}`) });
    renames.fire({ files: [{ oldUri: Uri.parse(first), newUri: Uri.parse(OLD) }] });
    file = OLD;
    await pass(0);
    report.create(Uri.parse(NEW));
    report.delete(Uri.parse(OLD));
    await pass(1000);
    await pass(1000);
    assert.deepEqual(told, [`${OLD} ${NEW}`]);
  });
});
