import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Exchange } from '../../../../src/conversation/conversation.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf, exchangeOf } from '../../conversation/turns.ts';

const { findShown } = await withEditorStub(() => import('../../../../src/editor/chatView/findShown.ts'));

/** What a search finds in an answer to a question of a command. */
function foundIn(purpose: Exchange['question']['purpose'], answer: string, words: string): number {
  const exchange = exchangeOf('q', completeTurn(answer));
  const asked = { ...exchange, question: { ...exchange.question, ...(purpose && { purpose }) } };
  return findShown(conversationOf(asked), words, () => undefined).length;
}

describe('A search in a conversation', () => {
  const edit = { find: 'const a = "x";\nlet b;', replace: 'const a = "y";\nlet b;' };
  const proposal = JSON.stringify({ explanation: 'It was "x".', files: [{ path: 'a.ts', edits: [edit] }] });

  it('finds what is shown of a proposal: its words and its changes, and nothing of their JSON', () => {
    assert.equal(foundIn('proposal', proposal, 'It was "x".'), 1);
    assert.equal(foundIn('proposal', proposal, 'const a = "y";'), 1);
    for (const words of ['explanation', 'edits', '\\n', '{"'])
      assert.equal(foundIn('proposal', proposal, words), 0);
  });

  it('finds what is shown of a review', () => {
    const finding = {
      file: 'a.ts',
      startLine: 1,
      endLine: 1,
      severity: 'error',
      claim: 'A "leak" in some_name_of_it: a*b.',
      evidence: 'open(/\\*/)\n```\n\\_',
    };
    const review = JSON.stringify({ summary: 'One leak.', findings: [finding] });
    assert.equal(foundIn('findings', review, '"findings"'), 0);
    for (const words of ['One leak.', 'A "leak"', 'in some_name_of_it', 'a*b', 'open(/\\*/)', '\\_'])
      assert.equal(foundIn('findings', review, words), 1, words);
  });

  it('finds words of a review between backticks that are no code, and in code', () => {
    const summary = 'A ```js_fence isn’t closed by ``` in a_b, and \\`c_d\\_` is.';
    const review = JSON.stringify({ summary, findings: [] });
    for (const words of ['js_fence isn’t', '``` in a_b, and', 'c_d\\_'])
      assert.equal(foundIn('findings', review, words), 1, words);
  });

  it('finds all of the text of other answers, also of those that were asked for as JSON', () => {
    assert.equal(foundIn(undefined, '{"explanation": 1}', 'explanation'), 1);
  });
});
