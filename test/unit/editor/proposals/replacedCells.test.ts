/** Cells without text, which are all the same: a new one is not one that is gone. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EventEmitter, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerReplacedCells } = await withEditorStub(
  () => import('../../../../src/editor/proposals/replacedCells.ts'),
);

const cell = (uri: string, text: string) => ({ document: { uri, getText: () => text } });

describe('A notebook cell without text that has hunks', () => {
  restoreAfterEach(workspace);

  it('keeps them when it is deleted and another one is added later, unless that takes its place at once', () => {
    const changes = new EventEmitter<unknown>();
    Object.assign(workspace, { onDidChangeNotebookDocument: changes.event });
    const moved: string[] = [];
    registerReplacedCells((from, to) => moved.push(`${from} ${to}`));
    const notebook = {};
    const change = (removedCells: readonly object[], addedCells: readonly object[]) =>
      changes.fire({ notebook, contentChanges: [{ removedCells, addedCells }] });
    change([cell('empty', ''), cell('full', 'a = 1')], []);
    change([], [cell('new', ''), cell('pasted', 'a = 1')]);
    assert.deepEqual(moved, ['full pasted']);
    change([cell('code', '')], [cell('markdown', '')]);
    assert.deepEqual(moved.slice(1), ['code markdown']);
  });
});
