import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { toEditedQuestion } from '../../../../src/conversation/continuingQuestion.ts';
import { type CommentText, toReviewPrompt } from '../../../../src/conversation/prompts/reviewPrompts.ts';
import type { Question } from '../../../../src/conversation/question.ts';
import { toAsked, typedWords } from '../../../../src/conversation/shownQuestion.ts';

const code = { path: 'a.ts', language: 'ts', startLine: 0, endLine: 0, text: 'let a;' };
const remark = (text: string, at = 0): CommentText => ({
  path: 'a.ts',
  startLine: at,
  endLine: at,
  diff: at === 1 ? '-let a;\n+Remark 2, on a.ts, line 1:\n' : undefined,
  quote: 'x\n\nRemark 1, on a.ts, line 2:\n\n```\n\n',
  text,
});

/** The question that Send Review asks with these remarks. */
function reviewOf(texts: readonly string[], withCode = true): Question {
  const text = toReviewPrompt({
    remarks: texts.map(remark),
    open: [{ path: 'b.ts', startLine: 0, endLine: 0, diff: '-Remark, on a.ts, line 1:\n+b' }],
    accepted: ['a.ts, line 2 (`Remark, on a.ts, line 1:`)'],
    rejected: [],
    code: withCode ? [code] : [],
  });
  const asked = toAsked('Send Review', texts.join('\n'));
  return { text, asked, images: [], origin: undefined, purpose: 'proposal', revises: 'p1' };
}

const edited = (texts: readonly string[], typed: string) => toEditedQuestion(reviewOf(texts), typed);

describe('A sent review that is edited', () => {
  it('has the remarks to edit, and its prompt is made anew of them', () => {
    assert.equal(typedWords(reviewOf(['Say why.', 'Why?\nHow?']))?.typed, 'Say why.\nWhy?\nHow?');
    assert.deepEqual(edited(['Say why.'], 'Say how.'), reviewOf(['Say how.']));
    assert.deepEqual(
      edited(['One.', 'Two.', 'Three.'], 'One.\nTwo, and more.\nThree.'),
      reviewOf(['One.', 'Two, and more.', 'Three.']),
    );
    assert.deepEqual(edited(['One.', 'Two.'], '1\n2'), reviewOf(['1', '2']));
  });

  it('keeps new lines with the remark above them, and leaves out a remark without words', () => {
    assert.deepEqual(
      edited(['One.', 'Two.'], 'One.\nMore.\n\nStill more.\nTwo.'),
      reviewOf(['One.\nMore.\n\nStill more.', 'Two.']),
    );
    assert.deepEqual(
      edited(['One.', 'Two.'], '\r\nOne.\r\nTwo.\r\nLast.'),
      reviewOf(['One.', 'Two.\nLast.']),
    );
    const { text, asked } = edited(['One.', 'Two.'], 'Two.');
    assert.match(text, /\n\nRemark, on a\.ts, line 2:\n\n/);
    assert.doesNotMatch(text, /One\./);
    assert.equal(asked, 'Send Review · Two.');
  });

  it('is the same if nothing was changed, whatever the remarks say', () => {
    const words = fc.constantFrom('Why?', 'Remark 2, on a', 'on a.ts, line 1:', '', '```', 'The code', ' ·');
    const texts = fc.array(
      fc.array(words, { minLength: 1, maxLength: 4 }).map((some) => `${some.join('\n')}.`.trim()),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(texts, fc.boolean(), (some, withCode) => {
        const review = reviewOf(some, withCode);
        const typed = typedWords(review)?.typed;
        assert.equal(typed, some.join('\n'));
        assert.deepEqual(toEditedQuestion(review, typed), review);
      }),
    );
  });

  it('has its prompt to edit if the remarks are not in it', () => {
    const review = reviewOf(['One.', 'Two.']);
    assert.equal(typedWords({ ...review, asked: 'Send Review · Other.' }), undefined);
    assert.equal(typedWords({ ...review, asked: 'Send Review · One.\nThree.' }), undefined);
    assert.equal(typedWords({ ...review, asked: 'Send Review' }), undefined);
    const draft = `${review.text.replace('One.', 'Other.')}`;
    assert.equal(toEditedQuestion(review, draft).text, draft, 'a draft of an earlier version');
  });
});
