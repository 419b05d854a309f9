import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
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
