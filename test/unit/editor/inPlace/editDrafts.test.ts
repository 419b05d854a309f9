import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Disposable } from 'vscode';
import type { Edit } from '../../../../src/editor/inPlace/editList.ts';
import { activeTab, documentChanges, TabInputNotebook, window } from '../../../support/editorStub.ts';
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
    Reflect.deleteProperty(window, 'activeTextEditor');
  });
  const fill = (text: string, hasFocus: boolean) => {
    const document = { uri: { scheme: 'comment', path: '/commentinput-1-2.md' }, getText: () => text };
    Object.assign(window, { activeTextEditor: hasFocus ? { document } : undefined });
    documentChanges.fire({ document, contentChanges: [{ rangeLength: 0, text }] });
  };
  const type = (text: string) => fill(text, true);
  const drafts = () => edits.map(({ edit }) => edit.draft);

  it('is that of the only one with such a box, although another cell has an edit with an answer', () => {
    edits = [editIn('1', false), editIn('2', true)];
    type('Louder.');
    assert.deepEqual(drafts(), ['', 'Louder.']);
  });

  it('is not what the editor fills into a box that is shown again, perhaps in another tab', () => {
    edits = [editIn('1', true)];
    fill('Louder.', false);
    assert.deepEqual(drafts(), ['']);
  });

  it('is that of none if it can be that of two', () => {
    edits = [editIn('1', true), editIn('2', true)];
    type('Louder.');
    assert.deepEqual(drafts(), ['', '']);
  });
});
