import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toContinuingQuestion } from '../../../../src/conversation/continuingQuestion.ts';
import type { Exchange } from '../../../../src/conversation/conversation.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';

const { toEditing } = await withEditorStub(() => import('../../../../src/editor/chatView/answerActions.ts'));

describe('The question that is edited', () => {
  const question = { text: 'One?', images: [], origin: undefined };
  const turn = { ...completeTurn(), id: 't1', outcome: 'truncated' as const };
  const toExchange = (id: string, asked: Exchange['question']): Exchange => ({
    id,
    question: asked,
    attempts: [],
    shown: 0,
  });
  const one = toExchange('e1', question);
  const rest = toExchange('e2', toContinuingQuestion(question, turn, 'Continue.'));
  const two = toExchange('e3', { ...question, text: 'Two?' });

  it('is the one whose answer is continued, not the words of Continue, by Up and from the card of the rest', () => {
    const edits = { edit: { exchangeId: 'e1', text: 'One?' } };
    assert.deepEqual(toEditing({ exchanges: [one, rest] }), edits);
    assert.deepEqual(toEditing({ exchanges: [one, rest, two] }, rest), edits);
    assert.deepEqual(toEditing({ exchanges: [one, rest, two] })?.edit?.exchangeId, 'e3');
    for (const exchanges of [[], [rest]]) assert.deepEqual(toEditing({ exchanges }), {});
    assert.deepEqual(toEditing(undefined), {});
  });
});
