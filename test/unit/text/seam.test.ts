import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { overlapsOf, repeatedLength, SEAM_LENGTH } from '../../../src/text/seam.ts';

describe('The overlaps of two texts', () => {
  it('are all ends of the first text with which the second one starts, longest first', () => {
    assert.deepEqual(overlapsOf('xabab', 'ababy'), [4, 2]);
    assert.deepEqual(overlapsOf('abc', 'xyz'), []);
    assert.deepEqual(overlapsOf('', 'a'), []);
    assert.deepEqual(overlapsOf('aaa', 'a'), [1]);
  });

  it('include a text that is repeated from its beginning, however long it is', () => {
    const first = Array.from({ length: SEAM_LENGTH }, (_, index) => `${index} `).join('');
    assert.deepEqual(overlapsOf(first, `${first}more`), [first.length]);
  });

  it('are those that a comparison of all lengths finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (first, second) => {
        const lengths = Array.from({ length: Math.min(first.length, second.length) }, (_, i) => i + 1);
        const expected = lengths.filter((length) => first.endsWith(second.slice(0, length))).toReversed();
        assert.deepEqual(overlapsOf(first, second), expected);
      }),
    );
  });
});

describe('What a text repeats of the text before it', () => {
  const table: readonly (readonly [string, string, string, string])[] = [
    ['some words', 'We call the parser and', 'the parser and wait', 'the parser and'],
    ['words whose last one is incomplete', 'const total = sum(li', 'total = sum(list);', 'total = sum(li'],
    ['a short line', 'if (a) {\n  goes', '  goes();', '  goes'],
    ['nothing, if two characters are equal by chance', 'a bal', 'loon', ''],
    ['nothing, if two short words are equal by chance', 'an end of a', 'f a kind that is new', ''],
    ['a long word', 'calls the implementation', 'implementation of', 'implementation'],
    ['the end of a word, with the words after it', 'an example of wh', 'mple of what', 'mple of wh'],
    ['nothing of a row of equal parts', 'all = [0, 0, 0, 0, ', '0, 0, 0, 0, 1]', ''],
    [
      'nothing of a line that is there twice already',
      'push(one, two);\npush(one, two);\n',
      'push(one, two);\nend();',
      '',
    ],
    ['nothing of indentation', '    }\n        ', '        }\n', ''],
  ];
  for (const [name, first, second, repeated] of table) {
    it(`is ${name}`, () => {
      assert.equal(second.slice(0, repeatedLength(first, second)), repeated);
    });
  }

  it('starts with a whole character', () => {
    const first = 'a \ud83d\ude00 b \ud83d\ude00';
    assert.equal(repeatedLength(first, '\ude00 more words'), 0);
  });
});
