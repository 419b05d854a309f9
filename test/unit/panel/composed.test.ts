import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toComposed } from '../../../src/panel/composed.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';

describe('A text in its composed form', () => {
  it('is the text itself where it has that form, with the same offsets', () => {
    const { text, offset } = toComposed('Café 😀');
    assert.equal(text, 'Café 😀');
    assert.deepEqual([0, 4, 7].map(offset), [0, 4, 7]);
  });

  it('has letters and marks, and syllables of Hangul, as one character, and knows where they were', () => {
    for (const word of ['Café', 'ä😀ö', '한국', 'がぎ', 'Ậb', 'x\u0323\u0307é']) {
      const apart = `a ${word.normalize('NFD')} b`;
      const { text, offset } = toComposed(apart);
      assert.equal(text, `a ${word} b`.normalize('NFC'), word);
      const end = 2 + word.normalize('NFC').length;
      assert.equal(apart.slice(offset(2), offset(end)), word.normalize('NFD'), word);
      assert.equal(offset(text.length), apart.length);
    }
  });

  it('takes time in proportion to its length', () => {
    const growth = growthOf((length) => 'Cafe\u0301 '.repeat(length), toComposed, 10_000);
    assert.ok(growth < LINEAR, `${growth.toFixed(1)} times as long for four times the length`);
  });
});
