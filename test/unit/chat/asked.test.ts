import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { firstLineOf, shownTextOf, toAsked } from '../../../src/chat/asked.ts';
import { toEditedQuestion } from '../../../src/chat/continuing.ts';
import { forkOf, toTitle } from '../../../src/chat/edits.ts';
import { findMatches } from '../../../src/chat/find.ts';
import type { Question } from '../../../src/chat/turn.ts';
import { completeTurn, conversationOf } from './turns.ts';

const PROMPT = 'Refactor this code without changing what it does. use const\n\nThe code, a.ts, line 1';
const question: Question = {
  text: PROMPT,
  asked: toAsked('Refactor', 'use const and reduce'),
  images: [],
  origin: undefined,
};
const conversation = conversationOf({ id: 'e1', question, attempts: [completeTurn()], shown: 0 });

describe('A question that came of a command', () => {
  it('is shown as the title of the command and what was typed', () => {
    assert.equal(question.asked, 'Refactor · use const and reduce');
    assert.equal(toAsked('Explain', ' '), 'Explain');
    assert.equal(shownTextOf(question), 'Refactor · use const and reduce');
    assert.equal(
      shownTextOf({ text: 'Why?' }),
      'Why?',
      'one that the user wrote, also of an earlier version',
    );
  });

  it('names its conversation and its turns', () => {
    assert.equal(toTitle(question, 'New'), 'Refactor · use const and reduce');
    assert.equal(firstLineOf({ ...question, asked: 'Send Review · One\nTwo' }), 'Send Review · One');
    assert.equal(firstLineOf({ text: '' }), '');
  });

  it('is found in what was asked, and in the prompt', () => {
    const parts = (words: string) => findMatches(conversation, words).map(({ part }) => part);
    assert.deepEqual(parts('use const'), ['question', 'prompt']);
    assert.deepEqual(parts('reduce'), ['question']);
    assert.deepEqual(parts('The code'), ['prompt']);
  });

  it('is kept by a fork, and by an edit that changes nothing', () => {
    const fork = forkOf(conversation, undefined, { createdAt: 1, newId: () => 'new' });
    assert.deepEqual(fork.exchanges[0]?.question, question);
    assert.deepEqual(toEditedQuestion(question, PROMPT), question);
  });

  it('is what the user wrote when the prompt was edited', () => {
    const edited = toEditedQuestion(question, 'Refactor it.');
    assert.deepEqual([edited.text, 'asked' in edited], ['Refactor it.', false]);
  });
});
