import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  isContinuing,
  toContinuingQuestion,
  toEditedQuestion,
} from '../../../src/conversation/continuingQuestion.ts';
import type { Question } from '../../../src/conversation/question.ts';
import { completeTurn } from './turns.ts';

const QUESTION: Question = {
  text: 'Change it.',
  images: [{ name: 'a.png', url: 'data:image/png;base64,AA==' }],
  context: [{ kind: 'file', label: 'a.ts', parts: [] }],
  origin: { uri: 'file:///a.ts', startLine: 1, endLine: 2, text: 'two\n' },
  purpose: 'proposal',
  revises: 'p1',
};
const toNext = (question: Question, outcome: 'truncated' | 'complete') =>
  toContinuingQuestion(question, { ...completeTurn(), id: 't1', outcome }, 'Continue.');

describe('The question that continues an answer', () => {
  it('asks for the same form about the same code, without sending images and context again', () => {
    assert.deepEqual(toNext(QUESTION, 'truncated'), {
      text: 'Continue.',
      images: [],
      origin: QUESTION.origin,
      purpose: 'proposal',
      revises: 'p1',
      continues: 't1',
    });
    const format = { kind: 'json' } as const;
    assert.deepEqual(
      toNext({ text: 'List it.', images: [], origin: undefined, format }, 'truncated').format,
      format,
    );
  });

  it('does not go on in the middle of an answer that is complete', () => {
    assert.equal(toNext(QUESTION, 'complete').continues, undefined);
    assert.equal(toNext({ ...QUESTION, continues: 't0' }, 'complete').continues, 't1');
  });

  it('goes on after the last round of tools, which has no answer yet', () => {
    const { toolCalls, rounds, ...turn } = completeTurn();
    const round = { ...turn, toolCalls: [], times: { ...turn.roundTimes, endedAt: 1 } };
    const spent = { ...turn, id: 't1', answer: '', toolCalls, tries: 0, rounds: [...rounds, round] };
    assert.equal(toContinuingQuestion(QUESTION, spent, 'Continue.').continues, 't1');
    assert.equal(toContinuingQuestion(QUESTION, { ...spent, tries: 1 }, 'Continue.').continues, undefined);
  });

  it('has the effort, the tools, and the preset of its question, whose instruction is in the earlier message', () => {
    const preset = { name: 'Plan', prompt: 'Plan it.', tools: ['read_file'], maxCompletionTokens: 9 };
    const question: Question = {
      text: 'Go.',
      images: [],
      origin: undefined,
      effort: 'low',
      tools: [],
      preset,
    };
    assert.deepEqual(toNext(question, 'truncated'), {
      text: 'Continue.',
      images: [],
      origin: undefined,
      continues: 't1',
      effort: 'low',
      tools: [],
      preset: { name: 'Plan', tools: ['read_file'], maxCompletionTokens: 9 },
    });
    assert.deepEqual(toEditedQuestion(question, 'Go!'), { ...question, text: 'Go!' });
  });

  it('is told from those that the user wrote', () => {
    const all = [toNext(QUESTION, 'truncated'), toNext(QUESTION, 'complete'), QUESTION];
    assert.deepEqual(all.map(isContinuing), [true, true, false]);
  });

  it('is a question of its own when it is edited', () => {
    const edited = toEditedQuestion({ ...QUESTION, continues: 't1' }, 'Do something else.');
    assert.deepEqual(edited, { ...QUESTION, text: 'Do something else.' });
  });
});
