import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  boundResult,
  findLines,
  textOfPromptElement,
  toList,
  toNumberedLines,
} from '../../../src/chat/toolText.ts';

describe('What a tool gives', () => {
  it('stays as it is when it fits', () => {
    assert.equal(boundResult('a\nb\n', 'Ask again.'), 'a\nb\n');
  });

  it('is cut at a line, and says how much of it is there', () => {
    assert.equal(
      boundResult('one\ntwo\nthree\n', 'Ask again.', 9),
      'one\ntwo\n[Cut, 2 of 3 lines shown. Ask again.]',
    );
  });

  it('says how many of a list are there', () => {
    assert.equal(toList(['a', 'b'], 2, 'files'), 'a\nb');
    assert.equal(toList(['a', 'b', 'c'], 2, 'files'), 'a\nb\n[2 of 3 files shown.]');
  });

  it('numbers the lines of a file, and says which they are unless it is all of them', () => {
    assert.equal(toNumberedLines('a\nb\n', 1, 100), '1\ta\n2\tb');
    assert.equal(toNumberedLines('a\nb\nc\n', 2, 2), '2\tb\n[Lines 2 to 2 of 3.]');
    assert.equal(toNumberedLines('a\n', 5, 9), '[The file has 1 lines.]');
  });

  it('finds words exactly, in any case unless told otherwise', () => {
    assert.deepEqual(findLines('A.b\na.b\naxb\n', 'a.b', false, 9), [
      { line: 1, text: 'A.b' },
      { line: 2, text: 'a.b' },
    ]);
    assert.deepEqual(findLines('A.b\na.b\n', 'a.b', true, 9), [{ line: 2, text: 'a.b' }]);
    assert.equal(findLines('a\na\na\n', 'a', true, 2).length, 2);
  });

  it('shows of a long line what is around the words', () => {
    const [match] = findLines(`${'x'.repeat(5000)}needle${'y'.repeat(5000)}`, 'needle', true, 9);
    assert.match(match?.text ?? '', /^…x+needley+…$/);
    assert.ok((match?.text.length ?? 0) < 310);
  });

  it('is the text of a prompt element', () => {
    const element = {
      node: {
        type: 1,
        children: [
          { type: 2, text: 'one', lineBreakBefore: false },
          { type: 1, children: [{ type: 2, text: 'two', lineBreakBefore: true }, null, { type: 3 }] },
        ],
      },
    };
    assert.equal(textOfPromptElement(element), 'one\ntwo');
    for (const other of [undefined, null, 1, 'a', {}, { node: null }, { children: 'a' }])
      assert.equal(textOfPromptElement(other), '');
  });
});
