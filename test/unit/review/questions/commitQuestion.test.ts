import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toCommitMessage, toCommitMessageQuestion } from '../../../../src/review/questions/commitQuestion.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';

const measure = (text: string) => text.length;
const FILE = {
  path: 'a.ts',
  change: 'modified',
  diff: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n',
  text: 'b\n',
};

describe('The question for a commit message', () => {
  it('has the files, their diffs, the earlier subjects, and the text that the user has started', () => {
    const { text, leftOut } = toCommitMessageQuestion(
      { files: [FILE], draft: 'Fix ', earlier: ['feat: one', 'fix: two'] },
      1000,
      measure,
    );
    assert.match(text, /- a\.ts \(modified\)/);
    assert.match(text, /```\nfeat: one\nfix: two\n```[\s\S]*```\nFix\n```/);
    assert.match(text, /```diff\n--- a\/a\.ts[\s\S]*\+b\n```$/);
    assert.deepEqual(leftOut, []);
  });

  it('shows a new file as added lines', () => {
    const { text } = toCommitMessageQuestion(
      { files: [{ ...FILE, diff: '' }], draft: '', earlier: [] },
      1000,
      measure,
    );
    assert.doesNotMatch(text, /The author has begun/);
    assert.match(text, /--- \/dev\/null\n\+\+\+ b\/a\.ts\n@@ -0,0 \+1,1 @@\n\+b\n/);
  });

  it('shows a new file without text without lines', () => {
    const { text } = toCommitMessageQuestion(
      { files: [{ ...FILE, diff: '', text: '' }], draft: '', earlier: [] },
      1000,
      measure,
    );
    assert.match(text, /--- \/dev\/null\n\+\+\+ b\/a\.ts\n```$/);
  });

  it('lists a new file that isn’t text without an empty diff', () => {
    const image = { ...FILE, path: 'a.png', change: 'untracked', diff: '', text: undefined };
    const toText = (files: readonly (typeof image | typeof FILE)[]) =>
      toCommitMessageQuestion({ files, draft: '', earlier: [] }, 1000, measure).text;
    assert.match(toText([image]), /Files:\n- a\.png \(untracked\)$/);
    assert.match(toText([image, FILE]), /```diff\n--- a\/a\.ts/);
  });

  it('reports that the diff is cut, and lists a file whose diff isn’t sent', () => {
    const secret = { ...FILE, path: '.env', diff: undefined };
    const big = { ...FILE, path: 'big.ts', diff: '+'.repeat(2000) };
    const { text, leftOut } = toCommitMessageQuestion(
      { files: [big, secret, FILE], draft: '', earlier: [] },
      1000,
      measure,
    );
    assert.deepEqual(leftOut, ['big.ts', '.env']);
    assert.match(text, /The diff is cut: [^\n]*big\.ts, \.env/);
  });
});

describe('A commit message', () => {
  it('is extracted from fences, quotes, and labels', () => {
    for (const answer of [
      'Fix it\n\nBecause.',
      '```\nFix it\n\nBecause.\n```',
      'Here is the message:\n\n```text\nFix it\n\nBecause.\n```\n',
      '"Fix it\n\nBecause."',
      'Commit message: Fix it  \n\nBecause.\n',
    ])
      assert.equal(toCommitMessage(answer), 'Fix it\n\nBecause.', answer);
  });

  it('keeps its own quotes and fences', () => {
    for (const own of ['"a" and "b"', 'Say "x"', 'Show it\n\n```\ncode\n```', '`a` becomes `b`'])
      assert.equal(toCommitMessage(own), own);
  });

  it('is extracted in linear time', () => {
    for (const line of ['```', '```\n', 'a:\n'])
      assert.ok(growthOf((length) => `${line.repeat(length)}x`, toCommitMessage, 1000) < LINEAR, line);
  });
});
