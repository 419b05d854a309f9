import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commentedLines } from '../../../../src/review/comments/commentedLines.ts';

const lines = (startLine: number, endLine = startLine) => ({ startLine, endLine });

describe('The lines of a long part of a file that a review sends', () => {
  it('are all of it if it has no more lines than are sent at most, or else the first ones', () => {
    assert.deepEqual(commentedLines(lines(10, 1509), [lines(20)]), [lines(10, 1509)]);
    assert.deepEqual(commentedLines(lines(10, 1510), []), [lines(10, 1509)]);
  });

  it('are one part from the first to the last comment if these are near each other', () => {
    assert.deepEqual(commentedLines(lines(0, 5000), [lines(2000), lines(1000, 1010)]), [lines(800, 2200)]);
  });

  it('are parts around comments that are far apart, which are no more than are sent at most', () => {
    assert.deepEqual(commentedLines(lines(0, 10_000), [lines(9000), lines(100), lines(400, 410)]), [
      lines(0, 610),
      lines(8800, 9200),
    ]);
    const many = Array.from({ length: 50 }, (_, at) => lines(at * 1000));
    const parts = commentedLines(lines(0, 60_000), many);
    assert.deepEqual(
      many.filter(
        ({ startLine }) => !parts.some((part) => part.startLine <= startLine && startLine <= part.endLine),
      ),
      [],
    );
    assert.ok(parts.reduce((sum, part) => sum + part.endLine - part.startLine + 1, 0) <= 1500);
  });

  it('are those nearest to comments outside of the part, and all lines of a long comment', () => {
    assert.deepEqual(commentedLines(lines(100, 5000), [lines(0), lines(6000)]), [
      lines(100, 300),
      lines(4800, 5000),
    ]);
    assert.deepEqual(commentedLines(lines(0, 5000), [lines(0, 2000), lines(4000)]), [
      lines(0, 2000),
      lines(4000),
    ]);
  });

  it('are also those of hunks without comments between them, as long as there is room for them', () => {
    const comments = [lines(100), lines(9000)];
    const parts = commentedLines(lines(0, 10_000), comments, [lines(3000, 3010), lines(4000, 5999)]);
    assert.deepEqual(parts, [lines(0, 300), lines(2800, 3210), lines(8800, 9200)]);
  });
});
