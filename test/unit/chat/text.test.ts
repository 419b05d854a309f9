import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ContextPart, relocatePart } from '../../../src/chat/context.ts';
import { cutLines } from '../../../src/chat/text.ts';

describe('A text that is too long', () => {
  it('is cut after a line, with the number of all lines', () => {
    assert.deepEqual(cutLines('one\ntwo\nthree', 9), { text: 'one\ntwo\n', linesInAll: 3 });
    assert.deepEqual(cutLines('one\ntwo\nthree\n', 8), { text: 'one\ntwo\n', linesInAll: 3 });
  });

  it('is cut within a line that is too long, but not within a character', () => {
    assert.deepEqual(cutLines('ab😀cd', 3), { text: 'ab', linesInAll: 1 });
  });

  it('is not cut if it fits', () => assert.deepEqual(cutLines('one\ntwo', 7), { text: 'one\ntwo' }));
});

describe('Selected lines', () => {
  const part: ContextPart = { label: 'a.ts', text: 'b\nc', range: { startLine: 1, endLine: 2 } };

  it('are found where they moved', () => {
    assert.deepEqual(relocatePart('x\ny\na\nb\nc\nd', part)?.range, { startLine: 3, endLine: 4 });
  });

  it('are the nearest ones if they occur twice', () => {
    const text = 'b\nc\n-\n-\n-\n-\n-\nb\nc';
    assert.deepEqual(relocatePart(text, part)?.range, { startLine: 0, endLine: 1 });
    const later = { ...part, range: { startLine: 6, endLine: 7 } };
    assert.deepEqual(relocatePart(text, later)?.range, { startLine: 7, endLine: 8 });
  });

  it('are not found if their text was removed', () =>
    assert.equal(relocatePart('a\nb\nX\nc', part), undefined));

  it('are not found if text was inserted into them', () => {
    assert.equal(relocatePart('a\nab\nc\nd', part), undefined);
    assert.equal(relocatePart('a\nb\ncd', part), undefined);
  });
});
