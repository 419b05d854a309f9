import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EventEmitter, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { applyEdit } = await withEditorStub(() => import('../../../../src/editor/proposals/writtenEdits.ts'));

describe('A document that has no unsaved changes after an edit, and another text than its file', () => {
  restoreAfterEach(workspace);

  /** @param isSaving auto save has begun to save the text of before, and tells the editor so when the edit is applied */
  async function edited(isSaving: boolean) {
    const saved = new EventEmitter<unknown>();
    const uri = Object.assign(new Uri('/a.txt'), { scheme: 'file' });
    let text = 'two\n';
    const document = { uri, isDirty: false, isClosed: false, lineCount: 2, getText: () => text };
    Object.assign(document, { validateRange: (range: unknown) => range });
    const texts = ['TWO\n', 'two\n'];
    Object.assign(workspace, {
      fs: { isWritableFileSystem: () => true, readFile: async () => Buffer.from('two\n') },
      decode: async (bytes: Buffer) => bytes.toString(),
      onDidSaveTextDocument: saved.event,
      async applyEdit() {
        text = texts.shift() ?? assert.fail('an edit too many');
        if (isSaving) saved.fire(document);
        return true;
      },
    });
    const locked = await applyEdit({} as never, [document] as never);
    return { locked: locked?.length, text };
  }

  it('is read-only, and gets its text back', async () => {
    assert.deepEqual(await edited(false), { locked: 1, text: 'two\n' });
  });

  it('keeps the edit if it is being saved at that moment', async () => {
    assert.deepEqual(await edited(true), { locked: 0, text: 'TWO\n' });
  });
});
