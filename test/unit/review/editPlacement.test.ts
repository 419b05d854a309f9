import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findSentText, placeEdits, replaceSpan, toEditsOfDiff } from '../../../src/review/editPlacement.ts';

const TEXT = 'one\ntwo\nthree\ntwo\nend\n';
const edit = (find: string, replace: string) => ({ find, replace });

describe('Proposed edits', () => {
  it('are applied where their text occurs exactly once', () => {
    assert.deepEqual(placeEdits(TEXT, [edit('three\n', 'THREE\n'), edit('one', 'ONE')]), {
      after: 'ONE\ntwo\nTHREE\ntwo\nend\n',
      unplaced: [],
    });
  });

  it('are not applied when their text is missing or occurs several times', () => {
    const { after, unplaced } = placeEdits(TEXT, [edit('four', 'x'), edit('two', 'x')]);
    assert.equal(after, TEXT);
    assert.deepEqual(
      unplaced.map(({ reason }) => reason),
      ['not-there', 'several'],
    );
  });

  it('are applied within the lines of the question when their text occurs several times', () => {
    assert.equal(
      placeEdits(TEXT, [edit('two', 'TWO')], { from: 8, to: 18 }).after,
      'one\ntwo\nthree\nTWO\nend\n',
    );
  });

  it('are not applied when they overlap an earlier one', () => {
    const { after, unplaced } = placeEdits(TEXT, [edit('one\ntwo\n', 'x\n'), edit('two\nthree', 'y')]);
    assert.equal(after, 'x\nthree\ntwo\nend\n');
    assert.deepEqual(
      unplaced.map(({ reason }) => reason),
      ['overlaps'],
    );
  });

  it('match any line ends and keep those of the file', () => {
    const { after } = placeEdits('a\r\nb\r\nc\r\n', [edit('b\nc\n', 'B\nmore\nC\n')]);
    assert.equal(after, 'a\r\nB\r\nmore\r\nC\r\n');
  });

  it('replace complete lines with or without the last line end', () => {
    assert.equal(placeEdits('a\nb\nc\n', [edit('b\n', 'B')]).after, 'a\nB\nc\n');
    assert.equal(placeEdits('a\nb\nc\n', [edit('b', 'B\n')]).after, 'a\nB\nc\n');
    assert.equal(placeEdits('a\nb\nc\n', [edit('b', '')]).after, 'a\nc\n');
    assert.equal(placeEdits('a\nb', [edit('b', 'B\n')]).after, 'a\nB');
  });

  it('match the end of a file whose last line has no line end', () => {
    assert.equal(placeEdits('a\nb', [edit('a\nb\n', 'A\nB\n')]).after, 'A\nB');
    assert.equal(placeEdits('a\r\nb', [edit('b\n', 'B\n')]).after, 'a\r\nB');
  });

  it('do not match the end of a last line that only ends with the same text', () => {
    assert.equal(placeEdits('a = 11', [edit('1\n', '2\n')]).unplaced[0]?.reason, 'not-there');
  });

  it('create a new file only once', () => {
    const { after, unplaced } = placeEdits('', [edit('', 'first\n'), edit('', 'second\n')]);
    assert.equal(after, 'first\n');
    assert.equal(unplaced[0]?.reason, 'overlaps');
  });

  it('can replace a part of a line', () => {
    assert.equal(placeEdits('let a = 1;\n', [edit('= 1', '= 2')]).after, 'let a = 2;\n');
  });

  it('create a new file, but never overwrite one', () => {
    assert.equal(placeEdits('', [edit('', 'all\n')]).after, 'all\n');
    assert.deepEqual(placeEdits('x', [edit('', 'all\n')]).unplaced[0]?.reason, 'file-exists');
  });
});

describe('Lines that were sent', () => {
  it('are found at their original line, even if they occur several times', () => {
    assert.deepEqual(findSentText(TEXT, 'two\n', 3), { from: 14, to: 18 });
  });

  it('are found at another line if they occur once', () => {
    assert.deepEqual(findSentText(TEXT, 'three\n', 0), { from: 8, to: 14 });
  });

  it('are not found when they changed or occur several times elsewhere', () => {
    assert.equal(findSentText(TEXT, 'tree\n', 2), undefined);
    assert.equal(findSentText(TEXT, 'two\n', 0), undefined);
  });

  it('are found in a file with other line ends', () => {
    assert.deepEqual(findSentText('a\r\nb\r\n', 'b\n', 1), { from: 3, to: 6 });
  });

  it('are replaced by lines with the same last line end', () => {
    assert.equal(replaceSpan('a\nb\nc\n', { from: 2, to: 4 }, 'B\nBB'), 'a\nB\nBB\nc\n');
    assert.equal(replaceSpan('a\r\nb', { from: 3, to: 4 }, 'B\nBB\n'), 'a\r\nB\r\nBB');
  });
});

describe('A unified diff', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -40,3 +40,3 @@\n a\n-b\n+B\n c\n';
  const apply = (text: string, from: string) => placeEdits(text, toEditsOfDiff(from));

  it('is applied where its lines occur, whatever line number it has', () => {
    assert.equal(apply('a\nb\nc\n', diff).after, 'a\nB\nc\n');
    assert.equal(apply('a\r\nb\r\nc\r\n', diff).after, 'a\r\nB\r\nc\r\n');
  });

  it('is not applied when a line differs or its lines occur several times', () => {
    assert.equal(apply('a\nx\nc\n', diff).unplaced[0]?.reason, 'not-there');
    assert.equal(apply('a\nb\nc\na\nb\nc\n', diff).unplaced[0]?.reason, 'several');
  });

  it('is one edit when it has no header', () => {
    assert.deepEqual(toEditsOfDiff(' a\n-b\n+B\n'), [{ find: 'a\nb\n', replace: 'a\nB\n' }]);
    assert.equal(apply('a\n', '-twoo\n+TWO\n').unplaced[0]?.reason, 'not-there');
  });

  it('does not throw when it is malformed', () => {
    assert.doesNotThrow(() => toEditsOfDiff('@@ -1,9 +1 @@\n-a'));
  });
});
