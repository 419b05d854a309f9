import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  changesBetween,
  type FollowedLines,
  followLines,
} from '../../../../src/review/findings/followedLines.ts';

const TEXT = ['one', 'two', 'three', 'four', 'five', ''].join('\n');

/** A replacement of the text between two places, each a line and a character. */
type Replacement = readonly [from: readonly [number, number], to: readonly [number, number], text: string];

function apply(text: string, [[startLine, startCharacter], [endLine, endCharacter], inserted]: Replacement) {
  const lines = text.split('\n');
  const offsetOf = (line: number, character: number) =>
    lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character;
  return (
    text.slice(0, offsetOf(startLine, startCharacter)) +
    inserted +
    text.slice(offsetOf(endLine, endCharacter))
  );
}

/** The lines 2 to 4 after one change after the other, and the text in them. */
function followed(...steps: readonly Replacement[]): FollowedLines & { readonly text: string } {
  let text = TEXT;
  let now: FollowedLines = {
    lines: { startLine: 1, endLine: 3 },
    deleted: undefined,
    isJoined: false,
    isBack: false,
  };
  for (const step of steps) {
    const [[startLine, startCharacter], [endLine, endCharacter], inserted] = step;
    const next = apply(text, step);
    now = followLines(
      now,
      [{ startLine, startCharacter, endLine, endCharacter, text: inserted }],
      text,
      next,
    );
    text = next;
  }
  return {
    ...now,
    text: text
      .split('\n')
      .slice(now.lines.startLine, now.lines.endLine + 1)
      .join('\n'),
  };
}

const ALL = 'two\nthree\nfour';

describe('Lines that a question is about', () => {
  it('are the same again when they were deleted and that is undone', () => {
    const deleting: Replacement = [[1, 0], [4, 0], ''];
    assert.deepEqual(followed(deleting).deleted, ALL.split('\n'));
    const undone = followed(deleting, [[1, 0], [1, 0], `${ALL}\n`]);
    assert.deepEqual([undone.text, undone.isBack, undone.deleted], [ALL, true, undefined]);
  });

  it('are the same again when something was typed above in between', () => {
    const { text, lines } = followed(
      [[1, 0], [4, 0], ''],
      [[0, 0], [0, 0], 'zero\n'],
      [[2, 0], [2, 0], `${ALL}\n`],
    );
    assert.deepEqual([text, lines], [ALL, { startLine: 2, endLine: 4 }]);
  });

  it('are the same again when they were joined with the line above and that is undone', () => {
    assert.equal(followed([[0, 3], [1, 0], ''], [[0, 3], [0, 3], '\n']).text, ALL);
  });

  it('are where they are inserted elsewhere', () => {
    assert.deepEqual(followed([[1, 0], [4, 0], ''], [[2, 0], [2, 0], `${ALL}\n`]).lines, {
      startLine: 2,
      endLine: 4,
    });
  });

  it('are only themselves when more is replaced at once, as by another program', () => {
    const { text, lines } = followed([[0, 0], [5, 0], `zero\n1\n${ALL}\n5\n`]);
    assert.deepEqual([text, lines], [ALL, { startLine: 2, endLine: 4 }]);
  });

  it('are only themselves when more is replaced at once, also if some of them are changed', () => {
    const { text, lines } = followed([[0, 0], [5, 0], 'zero\n1\ntwo\nTHREE\nfour\n5\n']);
    assert.deepEqual([text, lines], ['two\nTHREE\nfour', { startLine: 2, endLine: 4 }]);
  });

  it('are what they were replaced with, and follow with it', () => {
    const replaced = followed([[1, 0], [4, 0], 'a\nb\n']);
    assert.deepEqual([replaced.text, replaced.deleted], ['a\nb', undefined]);
    assert.equal(followed([[1, 0], [4, 0], 'a\nb\n'], [[1, 0], [3, 0], `${ALL}\n`]).text, ALL);
  });

  it('are not guessed when they are in several places, or are blank', () => {
    assert.equal(followed([[1, 0], [4, 0], ''], [[1, 0], [1, 0], `${ALL}\n${ALL}\n`]).isBack, false);
    const blank = followLines(
      { lines: { startLine: 0, endLine: 0 }, deleted: [''] },
      [{ startLine: 0, startCharacter: 0, endLine: 0, endCharacter: 0, text: '\n' }],
      'a\n',
      '\na\n',
    );
    assert.equal(blank.isBack, false);
  });

  it('stay as they are when others change', () => {
    const { lines, deleted, isJoined } = followed([[4, 0], [5, 0], '']);
    assert.deepEqual([lines, deleted, isJoined], [{ startLine: 1, endLine: 3 }, undefined, false]);
  });

  it('are those that are left when the last of them are deleted together with others below', () => {
    assert.equal(followed([[3, 0], [5, 0], '']).text, 'two\nthree');
    assert.equal(followed([[2, 5], [4, 4], '']).text, 'two\nthree');
  });

  it('are found when the text has changed while nobody looked', () => {
    const after = 'zero\none\ntwo\nthree\nfour\n5';
    const changes = changesBetween(TEXT, after);
    assert.deepEqual(
      changes.map(({ startLine, endLine, text }) => [startLine, endLine, text]),
      [
        [4, 5, '5\n'],
        [0, 0, 'zero\n'],
      ],
    );
    const kept = { lines: { startLine: 1, endLine: 3 }, deleted: undefined };
    assert.deepEqual(followLines(kept, changes, TEXT, after).lines, { startLine: 2, endLine: 4 });
  });

  it('are all of them also at the end of a text without a last line end', () => {
    const kept = { lines: { startLine: 1, endLine: 2 }, deleted: undefined };
    const now = (before: string, after: string) =>
      followLines(kept, changesBetween(before, after), before, after).lines;
    for (const [before, after] of [
      ['one\ntwo\nthree', 'one\ntwo\nTHREE'],
      ['one\ntwo\nthree', 'one\ntwo\nthree\n'],
      ['one\ntwo\nthree\n', 'one\ntwo\nTHREE'],
      ['one\ntwo\nthree\nfour', 'one\ntwo\nthree'],
      ['one\ntwo\nthree', 'one\ntwo\nthree\nfour'],
    ] as const)
      assert.deepEqual(now(before, after), kept.lines, after);
    // As Delete Line does with the last one.
    const joining = [{ startLine: 2, startCharacter: 5, endLine: 3, endCharacter: 4, text: '' }];
    const followed = followLines(kept, joining, 'one\ntwo\nthree\nfour', 'one\ntwo\nthree');
    assert.deepEqual(followed.lines, kept.lines);
  });

  it('are the same when the line ends of the file become others, also while it is closed', () => {
    const after = `zero\n${TEXT}`.replaceAll('\n', '\r\n');
    const changes = changesBetween(TEXT, after);
    assert.deepEqual(
      changes.map(({ startLine, endLine }) => [startLine, endLine]),
      [[0, 0]],
    );
    const joining = [{ startLine: 0, startCharacter: 3, endLine: 1, endCharacter: 0, text: '' }];
    const lines = { startLine: 1, endLine: 3 };
    const joined = TEXT.replace('one\n', 'one').replaceAll('\n', '\r\n');
    assert.deepEqual(followLines({ lines, deleted: undefined }, joining, TEXT, joined).lines, {
      startLine: 0,
      endLine: 2,
    });
  });
});
