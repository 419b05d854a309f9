/** Files in which accepted hunks aren't taken back. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { withText } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { FileType, Uri, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createRevertEdits, tellReverted } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/proposals/revertEdits.ts')),
  ...(await import('../../../../src/editor/proposals/revertNotes.ts')),
}));

describe('A notebook file with accepted hunks in its text', () => {
  restoreAfterEach(workspace, window, Uri);

  it('is kept while it is open as a notebook, which is said, whenever that was opened', async () => {
    const [uri, before, after] = ['virtual:/a.ipynb', '{"cells": []}\n', '{"cells": [1]}\n'];
    const withScheme = (address: string) => Object.assign(new Uri(address), { scheme: 'virtual' });
    Object.assign(Uri, { parse: withScheme });
    const file = withText(
      toFileProposal({ uri, label: 'a.ipynb', isNew: false, before, after, asked: undefined, unplaced: [] }),
      after,
    );
    assert.equal(file.hunks[0]?.state, 'accepted');
    const about = { turnId: 't', conversationId: 'c', createdAt: 0, trouble: undefined, revises: undefined };
    const proposals = { get: () => ({ ...about, id: 'p', files: [file] }), change: assert.fail };
    const { revert } = createRevertEdits({ proposals, missing: { isMissing: async () => false } });
    let opening: () => void = () => undefined;
    const shown: string[] = [];
    Object.assign(window, {
      async showWarningMessage(_: string, options: { readonly modal?: boolean } | string) {
        opening();
        return typeof options === 'string' ? options : 'Allow Once';
      },
      showQuickPick: async (items: readonly { readonly description: string }[]) =>
        void shown.push(...items.map(({ description }) => description)),
    });
    const open = () =>
      void Object.assign(workspace, { notebookDocuments: [{ uri: new Uri(uri), getCells: () => [] }] });
    Object.assign(workspace, {
      openTextDocument: async () => ({ getText: () => after, positionAt: () => ({ line: 0 }) }),
      applyEdit: () => assert.fail('the notebook has other changes'),
      fs: { isWritableFileSystem: () => true, stat: async () => ({ type: FileType.File }) },
    });
    for (const isOpen of [true, false]) {
      Object.assign(workspace, { notebookDocuments: [] });
      if (isOpen) open();
      else opening = open;
      const reverted = await revert(['p']);
      assert.ok(reverted);
      assert.deepEqual([reverted.hunks, reverted.kept.map(({ reason }) => reason)], [0, ['notebook']]);
      tellReverted({ proposals, log: { warn: assert.fail } }, reverted);
      await new Promise(setImmediate);
      assert.deepEqual(shown.splice(0), ['the file is open as a notebook']);
    }
  });
});
