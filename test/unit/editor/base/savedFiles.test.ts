import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toDefaultUri } = await withEditorStub(() => import('../../../../src/editor/base/savedFiles.ts'));

describe('The file that is suggested for what is saved', () => {
  restoreAfterEach(workspace);

  it('has the name of its title, but not one that decides what tools and the editor may do', () => {
    Object.assign(workspace, { workspaceFolders: [{ uri: new Uri('/w') }] });
    const named = (name: string) => toDefaultUri(name).defaultUri?.path;
    assert.equal(named('Invoice 1.2.json'), '/w/Invoice 1.2.json');
    assert.equal(named('AGENTS.md'), '/w/k3-AGENTS.md');
    assert.equal(named('mcp.json'), '/w/k3-mcp.json');
    assert.equal(named('all.instructions.md'), '/w/k3-all-instructions.md');
  });

  it('is none where the folder of the workspace decides that, too', () => {
    Object.assign(workspace, { workspaceFolders: [{ uri: new Uri('/w/.vscode') }] });
    assert.deepEqual(toDefaultUri('settings.json'), {});
  });
});
