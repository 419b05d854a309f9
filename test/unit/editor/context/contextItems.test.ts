import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { Uri, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { readFileContext, toContextView, toSelectionContext } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/context/contextItems.ts')),
  ...(await import('../../../../src/editor/context/contextWords.ts')),
}));

describe('What is selected in one line, such as all of a minified file', () => {
  it('is cut like the lines of a selection if it is too long, which is said', () => {
    const text = 'a;'.repeat(300_000);
    const [start, end] = [0, text.length].map((character) => ({ line: 0, character, compareTo: () => 0 }));
    const uri = Object.assign(new Uri('/bundle.js'), { scheme: 'file' });
    const editor = {
      document: { uri, languageId: 'javascript', isClosed: false, getText: () => text },
      selections: [{ isEmpty: false, start, end }],
    };
    const taken = toSelectionContext(editor as unknown as vscode.TextEditor);
    assert.ok(taken.ok);
    assert.equal(taken.item.parts[0]?.text.length, 400_000);
    assert.deepEqual(toContextView({ item: taken.item, changed: false }).omitted, [
      '/bundle.js: without its end, because it is too long',
    ]);
  });
});

describe('A notebook', () => {
  const { notebookDocuments } = workspace;
  afterEach(() => {
    Object.assign(workspace, { notebookDocuments });
  });

  it('has as many cells as a file has text, and names the others', async () => {
    const cells = ['a', 'b', 'c', 'd'].map((name) => ({
      document: {
        uri: Object.assign(new Uri(`/cell-${name}`), { scheme: 'vscode-notebook-cell' }),
        languageId: 'python',
        getText: () => `${name}\n`.repeat(name === 'd' ? 1 : 150_000),
      },
    }));
    const uri = Object.assign(new Uri('/big.ipynb'), { scheme: 'file' });
    Object.assign(workspace, { notebookDocuments: [{ uri, getCells: () => cells }] });
    const read = await readFileContext(uri as unknown as vscode.Uri);
    assert.ok(read.ok);
    assert.deepEqual(
      read.item.parts.map(({ text, linesInAll }) => [text.length, linesInAll]),
      [
        [300_000, undefined],
        [100_000, 150_000],
      ],
    );
    assert.deepEqual(toContextView({ item: read.item, changed: false }).omitted, [
      '/big.ipynb#2: without its end, because it is too long',
      '/big.ipynb#3: too large',
      '/big.ipynb#4: too large',
    ]);
  });
});
