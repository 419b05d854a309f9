/** Notebooks that are renamed, as the editor reports it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EventEmitter, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { followRenamedNotebooks } = await withEditorStub(
  () => import('../../../../src/editor/proposals/renamedNotebooks.ts'),
);

const OLD = 'file:///old.ipynb';
const NEW = 'file:///new.ipynb';
const FRAGMENT = 'W0sZmlsZQ==';

/** A URI with the parts that are read here. */
function uriOf(address: string): Uri {
  const [, scheme = '', path = '', fragment = ''] = /^([^:]+):(?:\/\/)?([^#]*)#?(.*)$/.exec(address) ?? [];
  return Object.assign(new Uri(address), {
    ...{ scheme, path, fragment, authority: '' },
    toString: () => address,
    with: (parts: { readonly path: string }) =>
      uriOf(scheme === 'file' ? `file://${parts.path}` : `${scheme}:${parts.path}#${fragment}`),
  });
}

describe('A notebook that is renamed after it was closed', () => {
  restoreAfterEach(workspace, Uri);

  it('has its hunks under its new name, also if an earlier rename was refused while it was open', async () => {
    Object.assign(Uri, { parse: uriOf });
    const [will, did] = [new EventEmitter<object>(), new EventEmitter<object>()];
    const cell = `vscode-notebook-cell:/old.ipynb#${FRAGMENT}`;
    const notebookOf = (address: string, text: string) => ({
      uri: uriOf(address),
      getCells: () => [{ document: { uri: uriOf(cell), getText: () => text } }],
    });
    Object.assign(workspace, {
      onWillRenameFiles: will.event,
      onDidRenameFiles: did.event,
      notebookDocuments: [notebookOf(OLD, 'a = 1')],
      openNotebookDocument: async () => notebookOf(NEW, 'a = 2'),
    });
    const moved: string[] = [];
    const notebooks = followRenamedNotebooks(
      (from, to) => moved.push(`${from} ${to}`),
      () => new Set([cell]),
      { warn: assert.fail },
    );
    const files = [{ oldUri: uriOf(OLD), newUri: uriOf(NEW) }];
    will.fire({ files });
    Object.assign(workspace, { notebookDocuments: [] });
    will.fire({ files });
    did.fire({ files });
    await notebooks.settled();
    assert.deepEqual(moved, [`${cell} vscode-notebook-cell:/new.ipynb#${FRAGMENT}`]);
  });
});
