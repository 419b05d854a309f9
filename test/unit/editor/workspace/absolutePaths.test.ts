import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { atAbsolutePath, placesOfPath } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/workspace/absolutePaths.ts')),
  ...(await import('../../../../src/editor/proposals/proposalFiles.ts')),
}));

describe('An absolute path of the model', () => {
  restoreAfterEach(workspace, Uri);

  /** A folder of the workspace, whose URI is that of another path with another path. */
  const folderAt = (address: string) => {
    const scheme = address.slice(0, address.indexOf(':'));
    return { name: 'w', uri: { scheme, with: ({ path }: Uri) => new Uri(`${address}${path}`) } };
  };

  it('is on the machine of the workspace, also if K3 Chat runs on that of the user', () => {
    Object.assign(Uri, { file: (path: string) => Object.assign(new Uri(path), { scheme: 'file' }) });
    for (const [folders, expected] of [
      [[], '/w/a.ts'],
      [['file:'], '/w/a.ts'],
      // The model may mean a file of the user's machine, where the files of the workspace have no absolute paths.
      [['vscode-vfs://github'], '/w/a.ts'],
      [['vscode-remote://ssh-remote+there'], 'vscode-remote://ssh-remote+there/w/a.ts'],
    ] as const) {
      Object.assign(workspace, { workspaceFolders: folders.map(folderAt) });
      assert.equal(atAbsolutePath('/w/a.ts').toString(), expected);
      assert.deepEqual(placesOfPath('/w/a.ts', []).map(String), [expected]);
    }
  });
});
