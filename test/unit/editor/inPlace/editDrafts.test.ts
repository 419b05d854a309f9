import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Disposable } from 'vscode';
import type { Edit } from '../../../../src/editor/inPlace/editList.ts';
import { activeTab, documentChanges, TabInputNotebook } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { followDrafts } = await withEditorStub(() => import('../../../../src/editor/inPlace/editDrafts.ts'));

/** An edit in a cell, whose thread has a box of its own, or one for replies. */
const editIn = (fragment: string, hasBox: boolean) => ({
  edit: { uri: { path: '/a.ipynb', fragment }, draft: '' } as unknown as Edit,
  thread: { canReply: !hasBox },
});

describe('What is written into the boxes of edits in a notebook', () => {
  let edits: readonly ReturnType<typeof editIn>[];
  let following: Disposable;
  beforeEach(() => {
    activeTab.input = new TabInputNotebook({ path: '/a.ipynb' });
    following = followDrafts(
      () => edits.map(({ edit }) => edit),
      { of: (edit) => edits.find((one) => one.edit === edit)?.thread as never },
      () => undefined,
    );
  });
  afterEach(() => {
    following.dispose();
    activeTab.input = undefined;
  });
  const type = (text: string) =>
    documentChanges.fire({
      document: { uri: { scheme: 'comment', path: '/commentinput-1-2.md' }, getText: () => text },
      contentChanges: [{ rangeLength: 0, text }],
    });
  const drafts = () => edits.map(({ edit }) => edit.draft);

  it('is that of the only one with such a box, although another cell has an edit with an answer', () => {
    edits = [editIn('1', false), editIn('2', true)];
    type('Louder.');
    assert.deepEqual(drafts(), ['', 'Louder.']);
  });

  it('is that of none if it can be that of two', () => {
    edits = [editIn('1', true), editIn('2', true)];
    type('Louder.');
    assert.deepEqual(drafts(), ['', '']);
  });
});
