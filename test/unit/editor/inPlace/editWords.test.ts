import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Question } from '../../../../src/conversation/question.ts';
import type { EditStep } from '../../../../src/editor/inPlace/editList.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation } from '../../history/support.ts';

const { createEditAnswers, toStepComments } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/inPlace/editAnswers.ts')),
  ...(await import('../../../../src/editor/inPlace/editWords.ts')),
}));

const WHOLE = JSON.stringify({
  explanation: 'Louder, as `three` is.',
  files: [{ path: 'a.txt', edits: [{ find: 'three', replace: 'THREE' }] }],
});

const asked = (text: string, continues?: string): Question => ({
  ...{ text, images: [], origin: undefined, purpose: 'proposal' },
  ...(continues !== undefined && { continues }),
});

/** What the thread says of the rest of an answer that was cut off. */
function commentsOn(rest: string, outcome: 'complete' | undefined): readonly string[] {
  const cut = { ...completeTurn(WHOLE.slice(0, -rest.length)), id: 't1', outcome: 'cut-off' as const };
  const { outcome: _, ...turn } = { ...completeTurn(rest), id: 't2' };
  const exchanges = [
    { id: 'e1', question: asked('Louder.'), attempts: [cut], shown: 0 },
    {
      id: 'e2',
      question: asked('Continue.', 't1'),
      attempts: [{ ...turn, outcome }],
      shown: 0,
    },
  ];
  const answers = createEditAnswers({
    conversations: { get: () => conversation('c', exchanges as never), isRunning: () => false },
    proposals: { ofTurn: () => [], ofFile: () => [] },
  });
  const step: EditStep = {
    task: 'edit',
    words: 'Louder.',
    diagnostics: [],
    state: { kind: 'sent', conversationId: 'c', exchangeId: 'e2' },
  };
  return toStepComments(step, answers.of(step)).map(({ body }) => body);
}

describe('The thread of an edit whose answer was cut off and continued', () => {
  for (const [where, rest] of [
    ['edits', WHOLE.slice(-30)],
    ['explanation', WHOLE.slice(24)],
  ] as const)
    it(`has the words of the whole answer, not the rest of its JSON, cut off in the ${where}`, () => {
      const [question, words] = commentsOn(rest, 'complete');
      assert.deepEqual([question, words], ['Louder.', 'Louder, as `three` is.']);
      assert.deepEqual(commentsOn(rest, undefined), ['Louder.', 'Louder, as three is.'], 'while it runs');
    });
});
