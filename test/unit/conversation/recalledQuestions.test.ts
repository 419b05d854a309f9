import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toContinuingQuestion } from '../../../src/conversation/continuingQuestion.ts';
import type { Question } from '../../../src/conversation/question.ts';
import {
  MAX_RECALLED,
  OTHER_CHATS_PREFIX,
  recallableIn,
  toRecalled,
} from '../../../src/conversation/recalledQuestions.ts';
import { conversation, exchange } from '../history/support.ts';
import { completeTurn } from './turns.ts';

const of = (more: Partial<Question>) =>
  toRecalled([{ text: 'Why?', images: [], origin: undefined, ...more }])[0];

describe('The questions that are offered again', () => {
  it('are what the user wrote in the message box, and prompt files by their names', () => {
    assert.equal(of({}), 'Why?');
    assert.equal(of({ text: 'Look at src/a.ts.', asked: '/races · in a.ts' }), '/races in a.ts');
    assert.equal(of({ text: 'Look.', asked: '/races' }), '/races');
  });

  it('are no prompts of commands, continuations, and questions with images only', () => {
    const origin = { uri: 'file:///a.ts', startLine: 0, endLine: 1 };
    for (const more of [
      { asked: 'Explain' },
      { origin },
      { purpose: 'findings' as const },
      { continues: 't1' },
      { revises: 'p1' },
      { text: ' ' },
    ])
      assert.equal(of(more), undefined, JSON.stringify(more));
  });

  it('are not those of other chats, also without a database', () => {
    const own = conversation('c1', [exchange('e1', 'First', []), exchange('e2', 'Second', [])]);
    const others = conversation(`${OTHER_CHATS_PREFIX}1`, [exchange('e3', 'Of another chat', [])]);
    assert.deepEqual(toRecalled(recallableIn([own, others])), ['Second', 'First']);
  });

  it('are not “Continue.” of the button', () => {
    const question = { text: 'Why?', images: [], origin: undefined };
    const goOn = toContinuingQuestion(question, completeTurn(), 'Continue.');
    assert.equal(of(goOn), undefined);
  });

  it('come once each, the newest first, and not without end', () => {
    const questions = ['c', 'b', 'c', 'a'].map((text) => ({ text, images: [], origin: undefined }));
    assert.deepEqual(toRecalled(questions), ['c', 'b', 'a']);
    const many = Array.from({ length: 200 }, (_, n) => ({ text: `${n}`, images: [], origin: undefined }));
    assert.deepEqual([toRecalled(many).length, toRecalled(many)[0]], [MAX_RECALLED, '0']);
  });
});
