import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseKey } from '../../../src/service/apiKey.ts';

describe('An API key as it is pasted', () => {
  for (const [what, text] of [
    ['as it is', 'sk-1'],
    ['with spaces around it', '  sk-1\t'],
    ['with line breaks around it', '\r\nsk-1\n'],
    ['with a byte order mark', '\uFEFFsk-1'],
    ['with the name of the scheme', 'Bearer sk-1'],
    ['with the name of the scheme in small letters and more spaces', ' bearer   sk-1 '],
    ['with quotation marks, as in JSON', '"sk-1"'],
    ['with quotation marks, as in a file with environment variables', " 'sk-1'\n"],
    ['with quotation marks around the scheme, too', '"Bearer sk-1"'],
  ] as const)
    it(`is used ${what}`, () => assert.equal(parseKey(text), 'sk-1'));

  it('can have every visible ASCII character', () => {
    const all = Array.from({ length: 0x7e - 0x20 }, (_, at) => String.fromCharCode(0x21 + at)).join('');
    assert.equal(parseKey(all), all);
  });

  for (const [what, text] of [
    ['a space', 'sk 1'],
    ['a line break', 'sk-\n1'],
    ['another header', 'sk-1\r\nx-other: 1'],
    ['a tab', 'sk-\t1'],
    ['a letter of Latin-1', 'sk-é'],
    ['a Cyrillic letter', 'sk-\u0430'],
    ['a typographic dash', 'sk–1'],
    ['a hidden character', 'sk-\u200b1'],
    ['a control character', 'sk-\u0000'],
    ['quotation marks of a word processor', '“sk-1”'],
    ['only the name of the scheme', ' Bearer '],
    ['a space in quotation marks', '"sk 1"'],
  ] as const)
    it(`is refused with ${what}`, () => assert.equal(parseKey(text), undefined));

  it('is empty when there is nothing but spaces', () => assert.equal(parseKey(' \n '), ''));
});
