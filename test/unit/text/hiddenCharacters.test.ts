import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findHidden, findNewHidden, showHidden } from '../../../src/text/hiddenCharacters.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';

describe('Hidden characters', () => {
  for (const [name, character, kind] of [
    ['a right-to-left override', '\u202e', 'bidirectional'],
    ['an isolate', '\u2066', 'bidirectional'],
    ['a zero-width space', '\u200b', 'invisible'],
    ['a zero-width joiner between letters', '\u200d', 'invisible'],
    ['a Hangul filler', '\u3164', 'invisible'],
    ['a tag that spells a letter', '\u{e0041}', 'invisible'],
    ['a selector after a letter', '\ufe0f', 'invisible'],
    ['a variation selector of the second kind', '\u{e0100}', 'invisible'],
    ['a byte order mark in the middle', '\ufeff', 'invisible'],
    ['a separator of lines', '\u2028', 'invisible'],
    ['a separator of paragraphs', '\u2029', 'invisible'],
    ['a soft hyphen', '\u00ad', 'invisible'],
    ['a control character', '\u0007', 'invisible'],
    ['a blank of Braille', '\u2800', 'invisible'],
  ] as const) {
    it(`include ${name}`, () => {
      const [found, ...more] = findHidden(`a${character}b`);
      assert.deepEqual(more, []);
      assert.equal(found?.offset, 1);
      assert.equal(found?.kind, kind);
    });
  }

  for (const text of [
    'tab\tand\r\nline ends\n',
    'e\u0301 combining',
    '👩‍👩‍👧 family',
    '❤️ and ©️',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿 flag of tags',
    'שלום and سلام',
    '한국어, 日本語',
    '👁‍🗨 and ❤‍🔥 without selectors',
    '👩🏽‍⚕ with a color of skin',
    'می‌خواهم and کتاب‌ها',
    'نُ‌مایش with a vowel',
    'క్షేత్ర సాఫ్ట్‌వేర్ and क्‌ष',
    'ශ්‍රී, क्‍ष, and न्‍ at its end',
    'ड़्‍ with a dot',
    'র‍্যাব',
    '⠓⠑⠇⠇⠕⠀⠺⠕⠗⠇⠙ in Braille',
  ]) {
    it(`do not include “${text.trim()}”`, () => assert.deepEqual(findHidden(text), []));
  }

  for (const [name, text] of [
    ['a non-joiner in a Latin name', 'is\u200cAdmin'],
    ['a joiner in a Latin name', 'is\u200dAdmin'],
    ['a non-joiner between an Arabic and a Latin letter', 'ب\u200ca'],
    ['a non-joiner between a Latin and an Arabic letter', 'a\u200cب'],
    ['a non-joiner after an Arabic letter that is not joined', 'ر\u200cب'],
    ['a non-joiner at the end of a word', 'ب\u200c '],
    ['a non-joiner between spaces', ' \u200c '],
    ['the second of two non-joiners', 'ب\u200c\u200cب'],
    ['a joiner between Arabic letters', 'ب\u200dب'],
    ['a non-joiner after a letter of India', 'क\u200cष'],
    ['a joiner after a letter of India', 'क\u200dष'],
    ['a non-joiner after a virama, before a Latin letter', 'क्\u200ca'],
    ['a joiner after a virama, before a vowel', 'क्\u200dी'],
    ['a joiner after a virama of another script', 'क\u09cd\u200d'],
    ['the second of two joiners', 'क्\u200d\u200d'],
    ['a joiner before a virama without a letter after it', 'র\u200d্'],
    ['a joiner between pictures that make no emoji', '😀\u200d😀'],
    ['a joiner between a picture and an emoji with a joiner', '😀\u200d👩‍👩‍👧'],
    ['a joiner between digits', '1\u200d2'],
    ['a non-joiner after a virama of Tamil, which joins nothing', 'க்\u200cக'],
    ['a joiner after a virama of Tamil', 'தமிழ்\u200d'],
    ['a non-joiner after a virama of Sinhala, which joins with a joiner only', 'ප්\u200cර'],
    ['a joiner at the end of a word in Telugu', 'సాఫ్ట్\u200d.json'],
  ] as const) {
    it(`include ${name}`, () => {
      const found = findHidden(text);
      assert.ok(found.length > 0);
      assert.ok(found.every(({ code }) => code === 'U+200C' || code === 'U+200D'));
    });
  }

  it('include selectors that a joined emoji has already, or needs none of', () => {
    for (const text of ['👩\ufe0f\u200d👩\u200d👧', '👩\u200d👩\u200d👧\ufe0f', '👁\ufe0f\ufe0f\u200d🗨'])
      assert.ok(findHidden(text).length > 0, JSON.stringify(text));
  });

  it('include each joiner between letters where that is asked for, as in names', () => {
    assert.deepEqual(
      findHidden('कि‌ताब 👩‍👩‍👧 می‌خواهم', 'hidden').map(({ code }) => code),
      ['U+200C', 'U+200C'],
    );
  });

  it('are displayed as their codes', () => {
    assert.equal(showHidden('a\u202eb\u200b'), 'a⟦U+202E⟧b⟦U+200B⟧');
  });

  it('are not new when they already existed', () => {
    assert.deepEqual(findNewHidden('a\u200b', 'b\u200b'), []);
    assert.deepEqual(
      findNewHidden('a\u200b', 'b\u200b\u200b\u202e').map(({ code }) => code),
      ['U+200B', 'U+202E'],
    );
  });

  for (const part of ['👩‍👩‍👧\u200b', '😀\u200d', 'ب\u200c', 'ُ\u200c', 'क्\u200d'])
    it(`are found in linear time in many of “${part}”`, () => {
      const growth = growthOf((length) => part.repeat(length), showHidden, 1500);
      assert.ok(growth < LINEAR, String(growth));
    });
});
