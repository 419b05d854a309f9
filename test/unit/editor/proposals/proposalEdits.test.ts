/** What the user is told of a file that can't be created, or changed, as it was proposed. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { FileType, Uri, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { EMPTY_STORE } from '../../../support/review/emptyStore.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createProposals, createProposalEdits, createEditSeries } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/proposals/proposalList.ts')),
  ...(await import('../../../../src/editor/proposals/proposalEdits.ts')),
  ...(await import('../../../../src/editor/proposals/editConfirmation.ts')),
}));

const URI = 'virtual:/folder/new.txt';
type Proposed = Parameters<typeof toFileProposal>[0];

const NEW = { uri: URI, label: 'new.txt', isNew: true, before: '', after: 'of the model\n' };

describe('A file of a proposal', () => {
  restoreAfterEach(workspace, window, Uri.prototype);
  const { parse } = Uri;
  let notes: string[];
  /** The text of the file, when it is there. */
  let text: string | undefined;
  let meanwhile: () => void;

  beforeEach(() => {
    notes = [];
    text = undefined;
    meanwhile = () => undefined;
    const withScheme = (address: string) => Object.assign(new Uri(address), { scheme: 'virtual' });
    Object.assign(Uri, { parse: withScheme });
    Object.assign(window, {
      // A file outside the workspace is asked about.
      async showWarningMessage(message: string, options?: { readonly modal?: boolean }) {
        if (options?.modal !== true) return void notes.push(message);
        meanwhile();
        return 'Allow Once';
      },
    });
    Object.assign(workspace, {
      encode: async (of: string) => Buffer.from(of),
      openTextDocument: async (uri: Uri) => ({ uri, getText: () => text, positionAt: () => ({ line: 0 }) }),
      fs: {
        isWritableFileSystem: () => true,
        stat: async () => (text === undefined ? Promise.reject(new Error()) : { type: FileType.File }),
      },
    });
  });
  afterEach(() => void Object.assign(Uri, { parse }));

  /** @param proposed the files of the proposal; by default, a new one */
  function start(...proposed: readonly Omit<Proposed, 'asked' | 'unplaced'>[]) {
    const never = () => ({ dispose: () => undefined });
    const proposals = createProposals({
      store: EMPTY_STORE,
      listed: () => new Set(['c']),
      onDidList: never as never,
    });
    const files = (proposed.length === 0 ? [NEW] : proposed).map((file) =>
      toFileProposal({ ...file, asked: undefined, unplaced: [] }),
    );
    const fresh = { turnId: 't', conversationId: 'c', files, trouble: undefined, revises: undefined };
    const missing = { isMissing: async () => false };
    const edits = createProposalEdits({ proposals, missing, log: { warn: assert.fail } });
    return { proposals, edits, id: proposals.add(fresh).id };
  }

  it('is said not to be created when its folder is renamed while the user is asked', async () => {
    const { proposals, edits, id } = start();
    meanwhile = () =>
      proposals.rename(Uri.parse('virtual:/folder') as never, Uri.parse('virtual:/other') as never);
    await edits.accept(id, URI, new Set(['0']));
    assert.equal(proposals.get(id)?.files[0]?.uri, 'virtual:/other/new.txt');
    assert.equal(notes.length, 1);
    assert.match(notes.join(), /new\.txt was not changed because its path now leads to a different file/);
  });

  it('is said not to be created when it was renamed before, while the user was asked about another file', async () => {
    const { proposals, edits, id } = start();
    proposals.rename(Uri.parse('virtual:/folder') as never, Uri.parse('virtual:/other') as never);
    await edits.accept(id, URI, new Set(['0']));
    assert.equal(notes.length, 1);
    assert.match(notes.join(), /new\.txt was not changed because its path now leads to a different file/);
  });

  it('is said once not to be created with all others of its folder that is renamed while the user is asked', async () => {
    const uris = ['a', 'b', 'c'].map((name) => `virtual:/folder/${name}.txt`);
    const { proposals, edits, id } = start(...uris.map((uri) => ({ ...NEW, uri })));
    meanwhile = () =>
      proposals.rename(Uri.parse('virtual:/folder') as never, Uri.parse('virtual:/other') as never);
    const series = createEditSeries(uris.length);
    for (const uri of uris) await edits.accept(id, uri, new Set(['0']), series);
    series.end();
    assert.equal(notes.length, 1);
    assert.match(notes.join(), /^3 files were not changed because their paths now lead to different files/);
    // In the preview, too.
    notes = [];
    const other = start(...uris.map((uri) => ({ ...NEW, uri })));
    meanwhile = () =>
      other.proposals.rename(Uri.parse('virtual:/folder') as never, Uri.parse('virtual:/other') as never);
    await other.edits.preview(other.id);
    assert.equal(notes.length, 1);
    assert.match(notes.join(), /^3 files were not changed/);
  });

  it('is counted once among those whose paths have changed, also with several proposals or cells', () => {
    const cells = ['W0sZmlsZQ%3D%3D', 'W1sZmlsZQ%3D%3D'].map((fragment) =>
      Object.assign(Uri.parse(`vscode-notebook-cell:/a.ipynb#${fragment}`), { fragment }),
    );
    Object.assign(Uri, { parse: (address: string) => cells.find((cell) => String(cell) === address) });
    Object.assign(Uri.prototype, { with: () => new Uri('file:///a.ipynb') });
    for (const uris of [[new Uri(URI), new Uri(URI)], cells]) {
      notes = [];
      const series = createEditSeries(uris.length);
      for (const uri of uris) series.moved(uri as never);
      series.end();
      assert.equal(notes.length, 1);
      assert.match(notes.join(), /was not changed because its path now leads to a different file/);
    }
  });

  it('is said to exist when another program creates it during the preview, which is silent when it is canceled', async () => {
    const { edits, id } = start();
    Object.assign(workspace, { applyEdit: async () => false });
    await edits.preview(id);
    assert.deepEqual(notes, []);
    const applyEdit = async () => {
      text = 'of the user\n';
      return false;
    };
    Object.assign(workspace, { applyEdit });
    await edits.preview(id);
    assert.equal(notes.length, 1);
    assert.match(notes.join(), /^new\.txt exists now, with different text\. Nothing was changed/);
  });

  it('is left out of the preview, which is said and not asked about, when its lines have changed', async () => {
    let asked = 0;
    meanwhile = () => void asked++;
    const known = { uri: URI, label: 'old.txt', isNew: false, before: 'a\nb\nc\n', after: 'a\nB\nc\n' };
    const { edits, id } = start(known);
    text = 'a\nof the user\nc\n';
    Object.assign(workspace, { applyEdit: () => assert.fail('there is nothing to preview') });
    await edits.preview(id);
    assert.equal(notes.length, 1);
    assert.match(notes.join(), /^1 hunk of old\.txt can’t be applied because its lines have changed/);
    assert.equal(asked, 0);
  });

  it('is not changed as text while it is open as a notebook, which is said, whenever that was opened', async () => {
    text = '{"cells": []}\n';
    const known = { uri: URI, label: 'a.ipynb', isNew: false, before: text, after: '{"cells": [1]}\n' };
    Object.assign(workspace, { applyEdit: () => assert.fail('the notebook has other changes') });
    const open = () =>
      void Object.assign(workspace, { notebookDocuments: [{ uri: new Uri(URI), getCells: () => [] }] });
    const close = () => void Object.assign(workspace, { notebookDocuments: [] });
    for (const [before, during] of [
      [open, () => undefined],
      [close, open],
    ] as const)
      for (const decide of ['accept', 'preview'] as const) {
        notes = [];
        const { proposals, edits, id } = start(known);
        before();
        meanwhile = during;
        await edits[decide](id, URI, new Set(['0']));
        assert.deepEqual(notes, [
          'Couldn’t change a.ipynb because it is open as a notebook. The proposal is kept: close the notebook, then try again.',
        ]);
        assert.equal(proposals.get(id)?.files[0]?.hunks[0]?.state, 'open');
      }
  });
});
