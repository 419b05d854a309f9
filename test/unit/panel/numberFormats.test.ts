import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  compactText,
  dayText,
  moneyText,
  numberText,
  percentText,
} from '../../../src/panel/numberFormats.ts';

/** Languages put spaces of several widths between a number and its unit. */
const plain = (text: string) => text.replace(/\s/g, ' ');

describe('Figures', () => {
  it('are written as in the display language', () => {
    assert.equal(numberText(12_345.67, 'en'), '12,346');
    assert.equal(numberText(12_345.67, 'de', 1), '12.345,7');
    assert.equal(plain(numberText(12_345, 'fr')), '12 345');
  });

  it('are digits only below 1,000', () => {
    for (const language of ['en', 'de', 'es', 'fr', 'ja', 'zh-cn'])
      for (const value of [0, 7, 999])
        assert.equal(numberText(value, language, 1), new Intl.NumberFormat(language).format(value));
    assert.equal(numberText(999.5, 'en', 1), '999.5');
    assert.equal(numberText(1000, 'en'), '1,000');
  });

  it('are short where there is little room', () => {
    assert.equal(compactText(999, 'en'), '999');
    assert.equal(compactText(5843, 'en'), '5.8K');
    assert.equal(compactText(1_234_567, 'en'), '1.2M');
    assert.equal(plain(compactText(1_234_567, 'de')), '1,2 Mio.');
    assert.equal(compactText(12_345, 'zh-cn'), '1.2万');
  });

  it('are in dollars, without the name of the country', () => {
    assert.equal(moneyText(1.2, 'en', 2), '$1.20');
    assert.equal(plain(moneyText(1.2, 'de', 2)), '1,20 $');
    assert.equal(moneyText(0.0123, 'zh-cn', 4), '$0.0123');
  });

  it('are shares in whole percent', () => {
    assert.equal(percentText(0.126, 'en'), '13%');
    assert.equal(plain(percentText(0.126, 'de')), '13 %');
  });

  it('are days in every time zone', () => {
    assert.equal(dayText('2026-11-02', 'en'), 'Nov 2, 2026');
    assert.equal(dayText('2026-11-02', 'de'), '02.11.2026');
    assert.equal(dayText('2026-11-02', 'de', 'short'), '2.11.');
  });
});
