import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findWholeWord, isSymbol, parseSymbol } from '../../../src/panel/symbolText.ts';

describe('A name in inline code', () => {
  for (const [written, asked] of [
    ['formatPrice', 'formatPrice'],
    ['formatPrice()', 'formatPrice'],
    ['total(items, discount)', 'total'],
    ['Invoice.total', 'Invoice.total'],
    ['Invoice::total()', 'Invoice.total'],
    ['Invoice#total', 'Invoice.total'],
    ['a.b.count', 'a.b.count'],
    ['T.value', 'T.value'],
    ['$store', '$store'],
    ['_under_score', '_under_score'],
    ['größe', 'größe'],
    ['合計', undefined],
    ['MAX_SIZE', 'MAX_SIZE'],
  ] as const)
    it(`${written} is ${asked === undefined ? 'not asked about' : `asked about as ${asked}`}`, () => {
      assert.equal(parseSymbol(written), asked);
    });

  it('is not asked about if it is a word of the language, too short, or something else', () => {
    const others = ['const', 'undefined', 'this.total', 'None', 'id', 'x', 'a.b', '', 'npm test', 'a = b'];
    const more = ['src/x.ts', '--flag', '#123', '12px', '"text"', 'a[0]', '.total', 'total.', 'a..bcd', '{}'];
    for (const written of [...others, ...more, 'total()()', 'a'.repeat(200), 'total(f(x))', '\u202etotal'])
      assert.equal(parseSymbol(written), undefined, written);
  });
});

describe('A symbol of the editor', () => {
  for (const [asked, name, container, is] of [
    ['total', 'total', '', true],
    ['total', 'total()', 'Invoice', true],
    ['total', 'total(int, String) : int', 'com.shop.Invoice', true],
    ['total', 'Invoice.total', '', true],
    ['List', 'List<T>', '', true],
    ['total', 'Total', '', false],
    ['total', 'totals', '', false],
    ['total', 'subtotal', '', false],
    ['Invoice.total', 'total()', 'Invoice', true],
    ['Invoice.total', 'total', 'com.shop.Invoice', true],
    ['Invoice.total', 'shop.Invoice.total', 'example.com/shop', true],
    ['shop.Total', 'Total', 'example.com/shop', true],
    ['Invoice.total', 'total', 'shop::Invoice', true],
    ['Invoice.total', 'total', '', false],
    ['Invoice.total', 'total', 'OldInvoice', false],
    ['Invoice.total', 'total', 'Invoice.Line', false],
    ['a.b.count', 'count', 'b', false],
  ] as const)
    it(`${name} in “${container}” is ${is ? '' : 'not '}${asked}`, () => {
      assert.equal(isSymbol(asked, name, container), is);
    });
});

describe('The place of a name', () => {
  it('is that of the whole word', () => {
    assert.equal(findWholeWord('export const totals = 1, $total = 2, total = 3;', 'total'), 37);
    assert.equal(findWholeWord('größe(größ)', 'größ'), 6);
    assert.equal(findWholeWord('totals', 'total'), -1);
  });
});
