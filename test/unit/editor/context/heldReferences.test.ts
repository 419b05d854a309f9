import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toLocal } = await withEditorStub(() => import('../../../../src/editor/context/heldReferences.ts'));

describe('A file that is added in a remote window', () => {
  restoreAfterEach(workspace, Uri);
  const at = (scheme: string) => Object.assign(new Uri('/w/a.ts'), { scheme });
  const openIn = (scheme: string) => Object.assign(workspace, { workspaceFolders: [{ uri: at(scheme) }] });

  it('is the one on the remote machine, not one with the same path on that of the user', () => {
    Object.assign(Uri, { file: () => at('file') });
    const given = at('vscode-remote') as never;
    openIn('file');
    assert.equal(toLocal(given).scheme, 'file');
    openIn('vscode-remote');
    assert.equal(toLocal(given).scheme, 'vscode-remote');
  });
});
