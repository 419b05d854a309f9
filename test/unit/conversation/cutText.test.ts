import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toTextLines } from '../../../src/conversation/context/relocation.ts';
import { cutLines, cutTextLines, lastLineOf, shorten } from '../../../src/conversation/cutText.ts';

describe('A text that is too long', () => {
  it('is cut after a line, with the number of all lines', () => {
    assert.deepEqual(cutLines('one\ntwo\nthree', 9), { text: 'one\ntwo\n', linesInAll: 3 });
    assert.deepEqual(cutLines('one\ntwo\nthree\n', 8), { text: 'one\ntwo\n', linesInAll: 3 });
  });

  it('is cut within a line that is too long, but not within a character', () => {
    assert.deepEqual(cutLines('ab😀cd', 3), { text: 'ab', linesInAll: 1 });
  });

  it('ends with “…” where it is a title, without white space before it', () => {
    assert.deepEqual(
      [shorten('one two', 7), shorten('one two three', 5), shorten('ab😀cd', 4)],
      ['one two', 'one…', 'ab…'],
    );
  });

  it('is not cut if it fits', () => assert.deepEqual(cutLines('one\ntwo', 7), { text: 'one\ntwo' }));
});

describe('The beginning of a document', () => {
  const texts = [
    '',
    '\n',
    'one',
    'one\n',
    'one\ntwo',
    'one\ntwo\n',
    'one\n\n\n',
    'ab😀cd',
    'ab😀cd\ne',
    '\n\nab',
  ];

  it('is the same as that of its text', () => {
    for (const text of texts)
      for (let length = 1; length < 12; length++)
        assert.deepEqual(
          cutTextLines(toTextLines(text), length),
          cutLines(text, length),
          `${length} of ${text}`,
        );
  });

  it('reads as many lines of a long document as of a short one', () => {
    const readsOf = (count: number) => {
      let reads = 0;
      cutTextLines({ count, at: () => `line ${++reads}` }, 400_000);
      return reads;
    };
    assert.equal(readsOf(1_000_000), readsOf(100_000));
  });
});

describe('The last line with words', () => {
  it('is that of a text that is still arriving', () => {
    assert.equal(lastLineOf('one\n  two words \n', 40), 'two words');
    assert.equal(lastLineOf('one\n\n---\n```\n', 40), 'one');
    assert.equal(lastLineOf('Größe: 3\r\n', 40), 'Größe: 3');
    assert.equal(lastLineOf('\n --\n', 40), '');
    assert.equal(lastLineOf('', 40), '');
  });

  it('is cut at its beginning, not within a character', () => {
    assert.equal(lastLineOf('abc def ghi', 7), '…def ghi');
    assert.equal(lastLineOf('a😀bc', 3), '…bc');
  });
});
