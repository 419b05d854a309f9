import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FileSystemError, textDocuments, workspace } from '../../../support/editorStub.ts';
import { createFileSystemWatcher, noEvent } from '../../../support/silentWatcher.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createMissingLooks } = await withEditorStub(
  () => import('../../../../src/editor/workspace/deletedFiles.ts'),
);

const URI = 'file:///a.txt';

describe('A look whether a file was deleted', () => {
  const before = { ...workspace };
  let files: { readonly uri: string; readonly missing: boolean }[];
  let told: [string, boolean][];

  beforeEach(() => {
    files = [];
    told = [];
    Object.assign(workspace, {
      createFileSystemWatcher,
      onDidCreateFiles: noEvent,
      fs: {
        isWritableFileSystem: () => true,
        stat: async () => {
          throw new FileSystemError('FileNotFound');
        },
      },
    });
  });
  afterEach(() => {
    for (const name of ['createFileSystemWatcher', 'onDidCreateFiles', 'fs'])
      Reflect.deleteProperty(workspace, name);
    Object.assign(workspace, before);
  });

  const create = () =>
    createMissingLooks({
      files: () => files,
      looked: (uri, missing) => told.push([uri, missing]),
      log: { warn: assert.fail },
    });

  it('tells that it is missing', async () => {
    files = [{ uri: URI, missing: false }];
    const looks = create();
    assert.equal(await looks.look(URI), true);
    assert.deepEqual(told, [
      [URI, true],
      [URI, true],
    ]);
  });

  it('tells that it is there while its document has unsaved changes', async () => {
    const document = { uri: URI, isClosed: false, isDirty: true };
    textDocuments.push(document);
    files = [{ uri: URI, missing: false }];
    const looks = create();
    assert.equal(await looks.look(URI), false);
    document.isDirty = false;
    assert.equal(await looks.look(URI), true);
    textDocuments.length = 0;
  });

  it('tells nothing of a file that no longer counts, because it was renamed meanwhile', async () => {
    const looks = create();
    files = [{ uri: URI, missing: false }];
    const looking = looks.look(URI);
    files = [{ uri: 'file:///b.txt', missing: false }];
    assert.equal(await looking, true);
    assert.deepEqual(told, []);
  });
});
