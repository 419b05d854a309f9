import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Question } from '../../../../src/conversation/question.ts';
import { FileType, type Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { findEdited } = await withEditorStub(() => import('../../../../src/editor/proposals/askedFile.ts'));

describe('The file of an answer that names none', () => {
  restoreAfterEach(workspace);

  const part = (uri: string, startLine: number) => ({ uri, startLine, endLine: startLine });
  const edited = (...more: Question['origin'][]) =>
    findEdited(
      { path: '', edits: [], text: undefined } as never,
      { text: '', images: [], origin: part('/w/a.ts', 0), more, purpose: 'proposal' } as Question,
      true,
      undefined,
    );

  it('is the one in question, also if several parts of it were sent, but not one of several files', async () => {
    Object.assign(workspace, {
      openTextDocument: async (uri: Uri) => ({ uri, getText: () => '' }),
      fs: { stat: async () => ({ type: FileType.File }) },
    });
    assert.equal(String((await edited(part('/w/a.ts', 9000)))?.uri), '/w/a.ts');
    assert.equal(await edited(part('/w/b.ts', 9000)), undefined);
  });
});
