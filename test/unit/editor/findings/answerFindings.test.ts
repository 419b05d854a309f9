import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Exchange } from '../../../../src/conversation/conversation.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { toCodeReviewQuestion } from '../../../../src/review/questions/reviewQuestion.ts';
import { workspace } from '../../../support/editorStub.ts';
import { NOT_RENAMED } from '../../../support/notRenamed.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf, exchangeOf } from '../../conversation/turns.ts';

const { findingsOfAnswer } = await withEditorStub(
  () => import('../../../../src/editor/findings/answerFindings.ts'),
);

const { openTextDocument } = workspace;

/** A review of a file, as it is asked. */
const reviewOf = (path: string, text: string) =>
  toCodeReviewQuestion(
    { path, language: 'js', text, startLine: 0, lineCount: text.split('\n').length },
    10_000,
    (line) => line.length,
  ).text;

const finding = (file: string, line: number, evidence: string) => ({
  ...{ file, startLine: line, endLine: line, severity: 'error', claim: 'Wrong.', evidence },
});

describe('The findings of a review that is asked again, with the code as it is now', () => {
  afterEach(() => {
    workspace.openTextDocument = openTextDocument;
  });

  const before = 'let total = 0;\nlet rest = 1;';
  const now = 'const sum = 0;\nconst more = 1;\nconst last = 2;';

  /** The review was asked first with other code, under another name. */
  async function placed(answered: Partial<Turn['request']>) {
    workspace.openTextDocument = async () => ({ uri: 'file:///now.js', getText: () => now });
    const answer = JSON.stringify({ summary: '', findings: [finding('now.js', 3, 'last = 2')] });
    const turn = { ...completeTurn(answer, answered), id: 'second' };
    const exchange: Exchange = {
      ...exchangeOf(reviewOf('sum.js', before), { ...completeTurn('{}'), id: 'first' }, turn),
      shown: 1,
    };
    const origin = { uri: 'file:///sum.js', startLine: 0, endLine: 1 };
    const asked = { ...exchange, question: { ...exchange.question, origin, purpose: 'findings' as const } };
    return findingsOfAnswer({ conversation: conversationOf(asked), exchange: asked, turn }, NOT_RENAMED, {
      warn: assert.fail,
    });
  }

  it('are placed in the file under the name that it has now, and replace others in all lines that were sent', async () => {
    const origin = { uri: 'file:///now.js', startLine: 0, endLine: 2 };
    const found = await placed({ origin, prompt: reviewOf('now.js', now) });
    assert.deepEqual(found?.findings[0]?.placement, { placed: true, startLine: 2, endLine: 2 });
    assert.deepEqual(
      found.reviewed.map(({ lines }) => lines),
      [[{ startLine: 0, endLine: 2 }]],
    );
  });
});
