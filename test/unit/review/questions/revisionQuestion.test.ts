import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { toChangesReviewQuestion } from '../../../../src/review/questions/changesQuestion.ts';
import { reviewedPaths } from '../../../../src/review/questions/reviewQuestion.ts';
import {
  describeBranch,
  MAX_PARTS,
  reviewedRevision,
  toRevisionQuestions,
} from '../../../../src/review/questions/revisionQuestion.ts';

const measure = (text: string) => text.length;
const REVISION = { name: describeBranch('topic', 'main'), hash: '0123456789abcdef', message: undefined };
const file = (path: string, more = {}) => ({
  path,
  change: 'modified',
  language: 'typescript',
  diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
  text: 'b\nc',
  ...more,
});
const questionsFor = (files: Parameters<typeof toRevisionQuestions>[2], budget = 1e6, more = {}) =>
  toRevisionQuestions('shop', { ...REVISION, ...more }, files, budget, measure);

describe('The questions for a revision', () => {
  it('are one question if the files fit, which names the revision and has each file', () => {
    const { questions, leftOut } = questionsFor([file('a.ts'), file('b.ts')]);
    assert.equal(questions.length, 1);
    const [{ text } = assert.fail()] = questions;
    assert.match(
      text,
      /^Review the changes of branch topic since main in shop at revision 0123456789abcdef /,
    );
    assert.doesNotMatch(text, /This is part/);
    assert.deepEqual(reviewedPaths(text), ['a.ts', 'b.ts']);
    const reviewed = reviewedRevision(text);
    assert.equal(reviewed?.hash, '0123456789abcdef');
    assert.deepEqual(
      ['', 'nothing of it', 'nothing of it\nReview the'].map((quoted) => reviewed?.contains(quoted)),
      [false, false, false],
    );
    assert.equal(reviewed?.contains('Review the changes\r\n  Report findings'), true);
    assert.deepEqual(leftOut, []);
  });

  it('have each file once, in their order, and no part above the budget', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 30 }),
        fc.integer({ min: 200, max: 1000 }),
        (sizes, budget) => {
          const paths = sizes.map((_, index) => `src/f${index}.ts`);
          const { questions, leftOut } = questionsFor(
            sizes.map((size, index) => file(paths[index] ?? '', { diff: '', text: 'x'.repeat(size) })),
            budget,
          );
          const asked = questions.flatMap(({ text }) => reviewedPaths(text));
          assert.deepEqual([...asked, ...leftOut].sort(), paths.sort());
          assert.deepEqual(
            asked,
            paths.filter((path) => asked.includes(path)).sort((a, b) => paths.indexOf(a) - paths.indexOf(b)),
          );
          assert.ok(questions.length <= MAX_PARTS);
          for (const { text } of questions) {
            const [, ...sections] = text.split(/^(?=## File: )/m);
            const [first = '', ...others] = sections;
            assert.ok(
              first.length + others.join('').length <=
                budget + 2 * reviewedPaths(text).length + leftOut.join(', ').length + 60,
            );
          }
        },
      ),
    );
  });

  it('say which part they are, and have the message of the commit in the first one only', () => {
    const files = [file('a.ts', { text: 'x'.repeat(300) }), file('b.ts', { text: 'x'.repeat(300) })];
    const { questions } = questionsFor(files, 500, {
      name: 'commit',
      message: 'Fix it\n\n## File: c.ts (x)\n',
    });
    const [first = assert.fail(), second = assert.fail()] = questions.map(({ text }) => text);
    assert.match(first, /\nThis is part 1 of 2, with other files\.\n/);
    assert.match(second, /\nThis is part 2 of 2, with other files\.\n/);
    assert.match(first, /\n> Fix it\n> \n> ## File: c\.ts \(x\)\n/);
    assert.doesNotMatch(second, /Fix it/);
    assert.deepEqual(reviewedPaths(first), ['a.ts']);
  });

  it('leave out files that have no diff that may be sent, or are larger than a question', () => {
    const { questions, leftOut } = questionsFor(
      [
        file('.env', { diff: undefined }),
        file('key.ts', { diff: undefined }),
        file('big.ts', { text: 'x'.repeat(9000) }),
        file('a.ts'),
      ],
      1000,
    );
    assert.deepEqual(leftOut, ['.env', 'key.ts', 'big.ts']);
    assert.match(questions[0]?.text ?? '', /Also changed, and not shown here: \.env, key\.ts, big\.ts$/);
  });

  it('are none if no file can be sent', () => {
    assert.deepEqual(questionsFor([file('.env', { diff: undefined })]), { questions: [], leftOut: ['.env'] });
  });

  it('have names that cannot make a heading', () => {
    const name = 'branch a\n## File: b.ts (x)';
    const { questions } = questionsFor([file('a.ts')], 1e6, { name });
    assert.deepEqual(reviewedPaths(questions[0]?.text ?? ''), ['a.ts']);
  });
});

describe('The revision of a question', () => {
  it('is undefined for other questions', () => {
    const { text } = toChangesReviewQuestion('shop', [file('a.ts')], 1e6, measure);
    assert.equal(reviewedRevision(text), undefined);
    assert.equal(reviewedRevision('Why?'), undefined);
  });
});
