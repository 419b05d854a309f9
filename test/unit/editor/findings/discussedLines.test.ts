/** The lines of a document that was longer when they were found. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toDiscussionQuestion } = await withEditorStub(
  () => import('../../../../src/editor/findings/findingActions.ts'),
);

describe('A finding below the end of its file, which is shorter now', () => {
  restoreAfterEach(workspace);

  it('is discussed with the last lines of the file', async () => {
    const lines = ['one', 'two', 'three'];
    const document = {
      uri: new Uri('/a.txt'),
      languageId: 'plaintext',
      lineCount: lines.length,
      lineAt: (line: number) => ({
        rangeIncludingLineBreak: { with: (start: { line: number }) => [start.line, line] },
      }),
      getText: ([start, end]: [number, number]) => lines.slice(start, end + 1).join('\n'),
    };
    Object.assign(workspace, { openTextDocument: async () => document });
    const finding = {
      file: 'a.txt',
      startLine: 500,
      endLine: 501,
      severity: 'error',
      claim: 'Wrong.',
      evidence: 'x',
    };
    const found = { uri: document.uri, startLine: 499, endLine: 500, finding } as never;
    const { question } = await toDiscussionQuestion(found, 'Why?');
    assert.match(
      question.text,
      /## File: \/a\.txt \(plaintext, lines 1 to 3 of 3\)\n\n```plaintext\n1 \| one\n2 \| two\n3 \| three\n```$/,
    );
  });
});
