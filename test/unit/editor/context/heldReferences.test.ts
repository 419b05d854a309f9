import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ExtensionKind, extensions, Uri } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toLocal } = await withEditorStub(() => import('../../../../src/editor/context/heldReferences.ts'));

describe('A file that is added in a remote window', () => {
  restoreAfterEach(extensions, Uri);
  const at = (scheme: string) => Object.assign(new Uri('/w/a.ts'), { scheme });
  const runIn = (extensionKind: number) =>
    Object.assign(extensions, { getExtension: () => ({ extensionKind }) });

  it('is the one on the remote machine, not one with the same path on that of the user', () => {
    Object.assign(Uri, { file: () => at('file') });
    const given = at('vscode-remote') as never;
    runIn(ExtensionKind.Workspace);
    assert.equal(toLocal(given).scheme, 'file');
    runIn(ExtensionKind.UI);
    assert.equal(toLocal(given).scheme, 'vscode-remote');
  });
});
