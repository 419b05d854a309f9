import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { EventEmitter, extensions, FileSystemError, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { readChangesContext } = await withEditorStub(
  () => import('../../../../src/editor/context/contextReports.ts'),
);
const { toContextView } = await withEditorStub(
  () => import('../../../../src/editor/context/contextWords.ts'),
);

const MODIFIED_IN_INDEX = 0;

const toChange = (uri: Uri) => ({
  uri,
  originalUri: uri,
  renameUri: undefined,
  status: MODIFIED_IN_INDEX,
});

/** The changes of a repository in which these are staged, each with one line. `status` reads its state again. */
async function readStaged(rootUri: Uri, indexChanges: readonly object[], status = async () => undefined) {
  const changed = new EventEmitter<undefined>();
  const repository = {
    rootUri,
    state: { HEAD: { commit: 'abc' }, indexChanges, workingTreeChanges: [], onDidChange: changed.event },
    async status() {
      await status();
      changed.fire(undefined);
    },
    diffIndexWithHEAD: async () => '@@ -1 +1 @@\n-before\n+now\n',
    show: async () => 'now\n',
  };
  const git = { enabled: true, getAPI: () => ({ repositories: [repository] }) };
  Object.assign(extensions, { getExtension: () => ({ activate: async () => git }) });
  const read = await readChangesContext(async () => true);
  assert.ok(read.ok);
  return read;
}

describe('Changes without a repository, as context', () => {
  restoreAfterEach(extensions);

  it('are not said to be none', async () => {
    const git = { enabled: true, getAPI: () => ({ repositories: [] }) };
    Object.assign(extensions, { getExtension: () => ({ activate: async () => git }) });
    const why = 'No Git repository is open in this window.';
    assert.deepEqual(await readChangesContext(async () => true), { ok: false, why });
  });
});

describe('Changes of very many files, as context', () => {
  const { getExtension } = extensions;
  beforeEach(() => Object.defineProperty(Uri.prototype, 'scheme', { configurable: true, value: 'memfs' }));
  afterEach(() => {
    Reflect.deleteProperty(Uri.prototype, 'scheme');
    Object.assign(extensions, { getExtension });
  });

  it('say of those whose diffs are not read that they are too many, not that each is too large', async () => {
    const indexChanges = Array.from({ length: 201 }, (_, at) => toChange(new Uri(`/shop/${at}.txt`)));
    const read = await readStaged(new Uri('/shop'), indexChanges);
    assert.deepEqual(toContextView({ item: read.item, changed: false }).omitted, [
      '200.txt: over the limit of 200 files',
    ]);
  });
});

describe('Changes that the Git extension has not noticed yet, as context', () => {
  const { getExtension } = extensions;
  beforeEach(() => Object.defineProperty(Uri.prototype, 'scheme', { configurable: true, value: 'memfs' }));
  afterEach(() => {
    Reflect.deleteProperty(Uri.prototype, 'scheme');
    Object.assign(extensions, { getExtension });
  });

  it('are read from the disk, because it looks a second after a file was saved, or never by a setting', async () => {
    const indexChanges: object[] = [toChange(new Uri('/shop/a.ts'))];
    const read = await readStaged(new Uri('/shop'), indexChanges, async () => {
      if (indexChanges.length === 1) indexChanges.push(toChange(new Uri('/shop/b.ts')));
      return undefined;
    });
    assert.equal(read.item.parts[0]?.text.match(/^\+now$/gm)?.length, 2);
  });

  it('are read from the disk in all repositories at once, because each of them can take seconds', async () => {
    const all = createDeferred<void>();
    let begun = 0;
    const repositories = ['/shop', '/bank'].map((root) => {
      const changed = new EventEmitter<undefined>();
      return {
        rootUri: new Uri(root),
        state: {
          HEAD: { commit: 'abc' },
          indexChanges: [toChange(new Uri(`${root}/a.ts`))],
          workingTreeChanges: [],
          onDidChange: changed.event,
        },
        async status() {
          if (++begun === 2) all.resolve();
          await all.promise;
          changed.fire(undefined);
        },
        diffIndexWithHEAD: async () => '@@ -1 +1 @@\n-before\n+now\n',
        show: async () => 'now\n',
      };
    });
    const git = { enabled: true, getAPI: () => ({ repositories }) };
    Object.assign(extensions, { getExtension: () => ({ activate: async () => git }) });
    // If one waited for the other, this would not end.
    const read = await readChangesContext(async () => true);
    assert.ok(read?.ok === true);
    assert.deepEqual(
      read.item.parts.map(({ label }) => label),
      ['/shop, staged', '/bank, staged'],
    );
  });

  it('are those that it knows if Git fails', async () => {
    const read = await readStaged(new Uri('/shop'), [toChange(new Uri('/shop/a.ts'))], () =>
      Promise.reject(new Error('Git failed')),
    );
    assert.equal(read.item.parts.length, 1);
  });
});

describe('Changes of files that the rules of Git ignore, as context', () => {
  restoreAfterEach(extensions, workspace);
  const placeOf = (path: string): Uri =>
    Object.assign(new Uri(path), {
      scheme: 'memfs',
      authority: '',
      with: (other: { readonly path: string }) => placeOf(other.path),
    });

  it('say so of each, not that it may contain secrets', async () => {
    const stat = async ({ path }: Uri) =>
      path === '/shop/.gitignore'
        ? { type: 1, size: 6 }
        : Promise.reject(new FileSystemError('FileNotFound'));
    Object.assign(workspace, {
      workspaceFolders: [{ uri: placeOf('/shop') }],
      fs: { stat, readFile: async () => Buffer.from('dist/\n') },
    });
    const indexChanges = ['dist/a.js', 'dist/.env', 'b.ts'].map((name) => toChange(placeOf(`/shop/${name}`)));
    const read = await readStaged(placeOf('/shop'), indexChanges);
    assert.deepEqual(read.item.omitted, [
      { label: 'dist/a.js', why: 'ignored' },
      { label: 'dist/.env', why: 'secret' },
    ]);
  });
});
