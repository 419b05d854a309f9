import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Question } from '../../../../src/conversation/question.ts';
import { workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { findReviewedFiles } = await withEditorStub(
  () => import('../../../../src/editor/findings/reviewedFiles.ts'),
);

const { openTextDocument } = workspace;

describe('The files of a review', () => {
  afterEach(() => {
    workspace.openTextDocument = openTextDocument;
  });

  it('have what was typed while others were read, so that findings are placed there', async () => {
    let text = 'let total = 0;\n';
    let opened = 0;
    workspace.openTextDocument = async () => {
      opened++;
      if (opened === 2) text = `// New.\n${text}`;
      return { uri: 'file:///sum.js', getText: () => text };
    };
    const question: Question = {
      text: '## File: sum.js (modified, js)\n\n## File: other.js (modified, js)',
      images: [],
      origin: { uri: 'file:///sum.js', startLine: 0, endLine: 0 },
    };
    const files = await findReviewedFiles({ question, lines: undefined }, { uriNow: async (uri) => uri });
    assert.equal(files.named('sum.js')?.text, '// New.\nlet total = 0;\n');
  });
});
