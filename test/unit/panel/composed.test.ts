import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toComposed } from '../../../src/panel/composed.ts';

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
    const started = performance.now();
    toComposed('Cafe\u0301 '.repeat(100_000));
    assert.ok(performance.now() - started < 3000);
  });
});
