import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { termsOf } from '../../../src/panel/terms.ts';

const keysOf = (text: string) => [...termsOf(text)].map(({ key }) => key);
const shared = (one: string, other: string) => keysOf(one).filter((key) => keysOf(other).includes(key));

describe('A number in the terms of a text', () => {
  it('is the text that is written', () => {
    for (const [one, other] of [
      ['1,5', '15'],
      ['1.5', '15'],
      ['1,25', '125'],
      ['0,125', '0125'],
      ['1.000', '1000'],
      ['1.000', '1,000'],
      ['1.5', '1.50'],
      ['1,2,3', '123'],
      ['1,5', '1,50'],
    ] as const)
      assert.deepEqual(shared(one, other), [], `${one} and ${other}`);
  });

  it('is also its value where that is clear, whatever separates its thousands and decimals', () => {
    for (const [one, other] of [
      ['1,5', '1.5'],
      ['0,125', '0.125'],
      ['1,000', '1000'],
      ['1 000', '1000'],
      ['1 000', '1,000'],
      ['12\u202f345', '12345'],
      ['12\u00a0345,5', '12345.5'],
      ['1,234,567', '1234567'],
      ['1.234.567', '1,234,567'],
      ['1,234.56', '1.234,56'],
      ['1234,56', '1,234.56'],
    ] as const)
      assert.notDeepEqual(shared(one, other), [], `${one} and ${other}`);
  });

  it('has a weight of 1 in all, and is worth more as it is written', () => {
    for (const text of ['42', '1,5', '1 000', '1.000', '1000', '3.14159', '1.2.3']) {
      const weights = [...termsOf(text)].map(({ weight }) => weight);
      assert.equal(Math.round(weights.reduce((sum, weight) => sum + weight, 0) * 100) / 100, 1, text);
    }
    assert.deepEqual(shared('1,5', '1,5'), ['1,5', '~1.5']);
    assert.deepEqual(shared('1,5', '1.5'), ['~1.5']);
  });

  it('is not one with the number after it', () => {
    assert.deepEqual(keysOf('5 100'), ['5', '100']);
    assert.deepEqual(keysOf('1 0000 x1 000'), ['1', '0000', '~0000', 'x1', 'x', '1', '000']);
  });

  it('has its place in the text', () => {
    const [term] = [...termsOf('about 1 000 lines')].filter(({ key }) => key === '1 000');
    assert.deepEqual([term?.start, term?.end], [6, 11]);
  });
});
