import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FileSystemError, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { isReadOnly, isReadOnlyKind, wasDeleted } = await withEditorStub(
  () => import('../../../../src/editor/workspace/fileKinds.ts'),
);

const uriOf = (scheme: string, path: string) => ({ scheme, path, toString: () => `${scheme}:${path}` });

describe('A cell of a notebook that is closed', () => {
  restoreAfterEach(workspace);

  it('is not said to be deleted because an earlier version of the notebook is shown, as in a diff', async () => {
    const isWritableFileSystem = (scheme: string) => scheme === 'file';
    Object.assign(workspace, { fs: { isWritableFileSystem } });
    const cell = uriOf('vscode-notebook-cell', '/a.ipynb') as never;
    const inNotebook = (scheme: string) => {
      const notebook = { uri: uriOf(scheme, '/a.ipynb'), isClosed: false, getCells: () => [] };
      Object.assign(workspace, { notebookDocuments: [notebook] });
      return wasDeleted(cell);
    };
    assert.deepEqual([await inNotebook('git'), await inNotebook('file')], [false, true]);
  });
});

describe('A document that can’t be written', () => {
  restoreAfterEach(workspace);

  /** @param activates whether an extension has the file system `later`, which starts at its first use */
  function setFileSystems(activates: boolean): void {
    const writable = new Map([
      ['file', true],
      ['git', false],
    ]);
    const stat = async ({ scheme }: { readonly scheme: string }) => {
      if (activates && scheme === 'later') writable.set(scheme, true);
      if (writable.has(scheme)) return { type: 1 };
      throw new FileSystemError('Unavailable');
    };
    Object.assign(workspace, {
      fs: { isWritableFileSystem: (scheme: string) => writable.get(scheme), stat },
    });
  }

  it('is not one in a file system whose extension hasn’t started yet', async () => {
    const uri = uriOf('later', '/a.ts') as never;
    setFileSystems(true);
    assert.equal(await isReadOnly(uri), false);
    setFileSystems(false);
    assert.equal(await isReadOnly(uri), true, 'it has no file system');
    assert.equal(await isReadOnly(uriOf('git', '/a.ts') as never), true);
    assert.equal(await isReadOnly(uriOf('file', '/a.ts') as never), false);
  });

  it('is a cell whose notebook is one', () => {
    setFileSystems(false);
    const notebooks = ['git', 'file', 'untitled'].map((scheme) => {
      const cell = { document: { uri: uriOf('vscode-notebook-cell', `/${scheme}.ipynb#W0`) } };
      return { uri: uriOf(scheme, `/${scheme}.ipynb`), getCells: () => [cell], cell };
    });
    Object.assign(workspace, { notebookDocuments: notebooks });
    const kinds = notebooks.map(({ cell }) => isReadOnlyKind(cell.document.uri as never));
    assert.deepEqual(kinds, [true, false, false]);
  });
});
