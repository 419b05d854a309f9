import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { FileType, Uri, workspace } from '../../../support/editorStub.ts';
import { startCpu } from '../../../support/growth.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { isInsideWorkspace, isStillThere } = await withEditorStub(
  () => import('../../../../src/editor/workspace/workspaceBoundary.ts'),
);

const fileOf = (path: string) => Object.assign(new Uri(path), { scheme: 'file', fsPath: path });

describe('A link that leads to itself', () => {
  restoreAfterEach(workspace);
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'k3-loop-')));
    Object.assign(workspace, { workspaceFolders: [{ uri: fileOf(root) }] });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is itself at once, however often it names itself', async () => {
    symlinkSync('loop/'.repeat(60), join(root, 'loop'));
    const worked = startCpu();
    for (const path of ['loop', 'loop/a'].map((name) => join(root, name)))
      assert.deepEqual(await isInsideWorkspace(fileOf(path) as never), { inside: true, realPath: path });
    assert.ok(worked() < 500, `${worked()} ms`);
  });
});

describe('A workspace in another file system, such as that of a remote machine', () => {
  restoreAfterEach(workspace);
  const uriOf = (path: string) =>
    Object.assign(new Uri(path), { scheme: 'vscode-remote', authority: 'host' });
  const links = new Set<string>();
  beforeEach(() => {
    const { File, SymbolicLink } = FileType;
    const stat = async ({ path }: Uri) => {
      if (path.endsWith('new.ts')) throw new Error('there is no such file');
      return { type: links.has(path) ? File | SymbolicLink : File };
    };
    Object.assign(workspace, { workspaceFolders: [{ uri: uriOf('/w') }], fs: { stat } });
  });
  afterEach(() => links.clear());

  it('says in the resolved path which link is on the way, so that what is allowed for a folder includes its files', async () => {
    links.add('/w/deep/folder');
    const resolved = async (path: string) => (await isInsideWorkspace(uriOf(path) as never)).realPath;
    const folder = await resolved('/w/deep/folder');
    assert.match(folder, /\/w\/deep\/folder → …$/);
    assert.equal(await resolved('/w/deep/folder/a.ts'), `${folder}/a.ts`);
    links.add('/w/deep/folder/inner');
    assert.match(await resolved('/w/deep/folder/inner/a.ts'), /folder\/inner → …\/a\.ts$/);
  });

  const isInside = async (path: string) => (await isInsideWorkspace(uriOf(path) as never)).inside;

  it('includes what is behind no link, also what is new', async () => {
    links.add('/w');
    for (const path of ['/w', '/w/a.ts', '/w/src/a.ts', '/w/src/new.ts'])
      assert.equal(await isInside(path), true);
    for (const path of ['/other/a.ts', '/w/../a.ts', '/w/src\\..\\..\\..\\a.ts'])
      assert.equal(await isInside(path), false);
  });

  it('doesn’t include what is behind one, which can lead anywhere', async () => {
    links.add('/w/notes.txt').add('/w/deep/folder');
    for (const path of ['/w/notes.txt', '/w/deep/folder/a.ts', '/w/deep/folder/new.ts'])
      assert.equal(await isInside(path), false);
    assert.equal(await isInside('/w/deep/a.ts'), true);
  });

  it('leads elsewhere as soon as there is one, also while an earlier look at the same place has no answer yet', async () => {
    const uri = uriOf('/w/notes.txt') as never;
    const { stat } = Reflect.get(workspace, 'fs') as { stat(uri: Uri): Promise<unknown> };
    const answering = createDeferred<void>();
    const looks: string[] = [];
    // What another check, such as that of a search, has asked before.
    const slow = async (at: Uri) => {
      looks.push(at.path);
      const found = await stat(at);
      await answering.promise;
      return found;
    };
    Object.assign(workspace, { fs: { stat: slow } });
    const before = Promise.all([isInsideWorkspace(uri), isInsideWorkspace(uri)]);
    assert.deepEqual(looks, ['/w/notes.txt'], 'one look for those that begin at once');
    await new Promise(setImmediate);
    links.add('/w/notes.txt');
    const after = isInsideWorkspace(uri);
    answering.resolve();
    assert.deepEqual(
      (await Promise.all([before, after])).flat().map(({ inside }) => inside),
      [true, true, false],
    );
  });

  it('leads elsewhere as soon as there is one', async () => {
    const uri = uriOf('/w/notes.txt') as never;
    const { realPath } = await isInsideWorkspace(uri);
    assert.equal(await isStillThere({ uri, realPath }), true);
    links.add('/w/notes.txt');
    assert.equal(await isStillThere({ uri, realPath }), false);
  });
});
