import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toEditedQuestion } from '../../../src/conversation/continuingQuestion.ts';
import { toConversationTitle } from '../../../src/conversation/conversationTitle.ts';
import { findMatches } from '../../../src/conversation/findMatches.ts';
import { forkOf } from '../../../src/conversation/fork.ts';
import { type CodeTask, toCodePrompt } from '../../../src/conversation/prompts/codePrompts.ts';
import type { Question } from '../../../src/conversation/question.ts';
import {
  firstLineOf,
  shownTextOf,
  toAsked,
  typedWords,
  withWords,
} from '../../../src/conversation/shownQuestion.ts';
import { reviewedPaths, toCodeReviewQuestion } from '../../../src/review/questions/reviewQuestion.ts';
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
    assert.equal(toConversationTitle(question, 'New'), 'Refactor · use const and reduce');
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

  it('gets words that are written behind the name of the command, of code and of reviews', () => {
    const made = toCodePrompt({
      task: 'explain',
      code: { path: 'a.ts', language: 'typescript', startLine: 0, endLine: 0, text: 'let a;' },
      instruction: '',
      diagnostics: [],
      around: [],
    });
    const explain = withWords({ text: made, asked: 'Explain' }, ' Why · here?\r\nAnd there? ');
    assert.match(explain.text, /not obvious about it\. Why · here\?\nAnd there\?\n\nThe code, a\.ts/);
    assert.equal(explain.asked, 'Explain · Why · here?\nAnd there?');
    assert.equal(typedWords(explain)?.typed, 'Why · here?\nAnd there?', 'to edit them');
    const { text } = toCodeReviewQuestion(
      { path: 'a.ts', language: 'typescript', text: 'let a;', startLine: 0, lineCount: 1 },
      1000,
      () => 1,
    );
    const review = withWords({ text, asked: 'Review File' }, 'Look at the locks.');
    assert.match(review.text, /^Review a\.ts as a careful senior engineer would\. Look at the locks\.\n\n/);
    assert.deepEqual(reviewedPaths(review.text), ['a.ts']);
    assert.deepEqual(withWords({ text, asked: 'Review File' }, ' \n'), { text, asked: 'Review File' });
  });

  describe('that is edited', () => {
    const code = { path: 'a.ts', language: 'typescript', startLine: 0, endLine: 0, text: 'let a;' };
    const made = (task: CodeTask, title: string, typed: string): Question => {
      const text = toCodePrompt({ task, code, instruction: typed, diagnostics: ['odd'], around: [] });
      return { ...question, text, asked: toAsked(title, typed) };
    };
    const TASKS = {
      ask: 'Ask',
      refactor: 'Refactor',
      explain: 'Explain',
      test: 'Write Tests',
      edit: 'Edit Here',
    } as const;

    it('has what the user typed to edit, and its prompt is made anew of it', () => {
      for (const [task, title] of Object.entries(TASKS) as [CodeTask, string][])
        for (const typed of ['use const', 'one · two', 'The code, a.ts', 'Fix this code. Now'])
          for (const next of [
            'no const',
            'two\n\nparagraphs',
            ...(task === 'ask' || task === 'edit' ? [] : ['']),
          ]) {
            const before = made(task, title, typed);
            assert.equal(typedWords(before)?.typed, typed);
            const { text, asked } = toEditedQuestion(before, next);
            assert.deepEqual([text, asked], [made(task, title, next).text, toAsked(title, next)]);
            assert.deepEqual(toEditedQuestion(before, typed), toEditedQuestion(before, before.text));
          }
    });

    it('can get words when none were typed', () => {
      const { text, asked } = toEditedQuestion(made('refactor', 'Refactor', ''), 'use const');
      assert.deepEqual(
        [text, asked],
        [made('refactor', 'Refactor', 'use const').text, 'Refactor · use const'],
      );
    });

    it('has its prompt to edit if the words have no place of their own in it', () => {
      const review = { ...question, text: 'Comment on x:\n\nWhy?\n\nCode', asked: 'Send Review · Why?' };
      assert.equal(typedWords(review), undefined);
      assert.equal(typedWords({ text: 'Why?' }), undefined);
      const edited = toEditedQuestion(
        made('refactor', 'Refactor', 'use const'),
        `Mine. ${made('refactor', 'R', 'x').text}`,
      );
      assert.equal(edited.asked, undefined, 'a draft of an earlier version');
      assert.match(edited.text, /^Mine\. Refactor/);
    });
  });

  it('is what the user wrote when the prompt was edited', () => {
    const edited = toEditedQuestion(question, 'Refactor it.');
    assert.deepEqual([edited.text, 'asked' in edited], ['Refactor it.', false]);
  });
});
