import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { Uri } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toContextView, toSelectionContext } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/composer/contextItems.ts')),
  ...(await import('../../../../src/editor/composer/contextWords.ts')),
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
      '/bundle.js: only the end, because it is too long',
    ]);
  });
});
