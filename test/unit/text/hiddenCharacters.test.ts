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
  ]) {
    it(`do not include “${text.trim()}”`, () => assert.deepEqual(findHidden(text), []));
  }

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

  it('are found in linear time between emoji', () => {
    const growth = growthOf((length) => '👩‍👩‍👧\u200b'.repeat(length), showHidden, 1500);
    assert.ok(growth < LINEAR, String(growth));
  });
});
