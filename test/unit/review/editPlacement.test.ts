import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findSentText, placeEdits, replaceSpan, toEditsOfDiff } from '../../../src/review/editPlacement.ts';

const TEXT = 'one\ntwo\nthree\ntwo\nend\n';
const edit = (find: string, replace: string) => ({ find, replace });

describe('Proposed edits', () => {
  it('go where their text stands exactly once', () => {
    assert.deepEqual(placeEdits(TEXT, [edit('three\n', 'THREE\n'), edit('one', 'ONE')]), {
      after: 'ONE\ntwo\nTHREE\ntwo\nend\n',
      unplaced: [],
    });
  });

  it('have no place when their text is not there, or is there several times', () => {
    const { after, unplaced } = placeEdits(TEXT, [edit('four', 'x'), edit('two', 'x')]);
    assert.equal(after, TEXT);
    assert.deepEqual(
      unplaced.map(({ reason }) => reason),
      ['not-there', 'several'],
    );
  });

  it('that stand several times go into the lines that were asked about', () => {
    assert.equal(
      placeEdits(TEXT, [edit('two', 'TWO')], { from: 8, to: 18 }).after,
      'one\ntwo\nthree\nTWO\nend\n',
    );
  });

  it('that lie across each other: the first one stays', () => {
    const { after, unplaced } = placeEdits(TEXT, [edit('one\ntwo\n', 'x\n'), edit('two\nthree', 'y')]);
    assert.equal(after, 'x\nthree\ntwo\nend\n');
    assert.deepEqual(
      unplaced.map(({ reason }) => reason),
      ['overlaps'],
    );
  });

  it('find their text whatever its line ends are, and keep those of the file', () => {
    const { after } = placeEdits('a\r\nb\r\nc\r\n', [edit('b\nc\n', 'B\nmore\nC\n')]);
    assert.equal(after, 'a\r\nB\r\nmore\r\nC\r\n');
  });

  it('stay whole lines whether or not the last line end was written', () => {
    assert.equal(placeEdits('a\nb\nc\n', [edit('b\n', 'B')]).after, 'a\nB\nc\n');
    assert.equal(placeEdits('a\nb\nc\n', [edit('b', 'B\n')]).after, 'a\nB\nc\n');
    assert.equal(placeEdits('a\nb\nc\n', [edit('b', '')]).after, 'a\nc\n');
    assert.equal(placeEdits('a\nb', [edit('b', 'B\n')]).after, 'a\nB');
  });

  it('go to the end of a file whose last line has no end', () => {
    assert.equal(placeEdits('a\nb', [edit('a\nb\n', 'A\nB\n')]).after, 'A\nB');
    assert.equal(placeEdits('a\r\nb', [edit('b\n', 'B\n')]).after, 'a\r\nB');
  });

  it('are not taken for the end of a last line that only ends so', () => {
    assert.equal(placeEdits('a = 11', [edit('1\n', '2\n')]).unplaced[0]?.reason, 'not-there');
  });

  it('that would both make a new file: the first one stays', () => {
    const { after, unplaced } = placeEdits('', [edit('', 'first\n'), edit('', 'second\n')]);
    assert.equal(after, 'first\n');
    assert.equal(unplaced[0]?.reason, 'overlaps');
  });

  it('replace part of a line as well', () => {
    assert.equal(placeEdits('let a = 1;\n', [edit('= 1', '= 2')]).after, 'let a = 2;\n');
  });

  it('make a new file of nothing, and never write over one', () => {
    assert.equal(placeEdits('', [edit('', 'all\n')]).after, 'all\n');
    assert.deepEqual(placeEdits('x', [edit('', 'all\n')]).unplaced[0]?.reason, 'file-exists');
  });
});

describe('Lines that were sent', () => {
  it('are found at the line that they had, even when they stand there several times', () => {
    assert.deepEqual(findSentText(TEXT, 'two\n', 3), { from: 14, to: 18 });
  });

  it('are found where they moved to, when they are there once', () => {
    assert.deepEqual(findSentText(TEXT, 'three\n', 0), { from: 8, to: 14 });
  });

  it('are not found when they changed, or stand elsewhere several times', () => {
    assert.equal(findSentText(TEXT, 'tree\n', 2), undefined);
    assert.equal(findSentText(TEXT, 'two\n', 0), undefined);
  });

  it('are found in a file with other line ends', () => {
    assert.deepEqual(findSentText('a\r\nb\r\n', 'b\n', 1), { from: 3, to: 6 });
  });

  it('give place to others, which end as they did', () => {
    assert.equal(replaceSpan('a\nb\nc\n', { from: 2, to: 4 }, 'B\nBB'), 'a\nB\nBB\nc\n');
    assert.equal(replaceSpan('a\r\nb', { from: 3, to: 4 }, 'B\nBB\n'), 'a\r\nB\r\nBB');
  });
});

describe('A unified diff', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -40,3 +40,3 @@\n a\n-b\n+B\n c\n';
  const apply = (text: string, from: string) => placeEdits(text, toEditsOfDiff(from));

  it('goes where its lines stand, whatever line it names', () => {
    assert.equal(apply('a\nb\nc\n', diff).after, 'a\nB\nc\n');
    assert.equal(apply('a\r\nb\r\nc\r\n', diff).after, 'a\r\nB\r\nc\r\n');
  });

  it('has no place when a line differs, or when its lines stand there several times', () => {
    assert.equal(apply('a\nx\nc\n', diff).unplaced[0]?.reason, 'not-there');
    assert.equal(apply('a\nb\nc\na\nb\nc\n', diff).unplaced[0]?.reason, 'several');
  });

  it('without a head is one edit', () => {
    assert.deepEqual(toEditsOfDiff(' a\n-b\n+B\n'), [{ find: 'a\nb\n', replace: 'a\nB\n' }]);
    assert.equal(apply('a\n', '-twoo\n+TWO\n').unplaced[0]?.reason, 'not-there');
  });

  it('that is broken throws nothing', () => {
    assert.doesNotThrow(() => toEditsOfDiff('@@ -1,9 +1 @@\n-a'));
  });
});
