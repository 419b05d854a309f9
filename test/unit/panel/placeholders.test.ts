import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fillPlaceholders } from '../../../src/panel/placeholders.ts';

const FILES = '{0, plural, one {# file} other {# files}}';

describe('A text with placeholders', () => {
  it('has one form for 1 and another for other numbers, also in the middle of the text', () => {
    const text = `Allow {1} to read ${FILES}?`;
    assert.equal(fillPlaceholders(text, 'en', [1, 'svc-k3']), 'Allow svc-k3 to read 1 file?');
    assert.equal(fillPlaceholders(text, 'en', [0, 'svc-k3']), 'Allow svc-k3 to read 0 files?');
    assert.equal(fillPlaceholders(text, 'en', [2, 'svc-k3']), 'Allow svc-k3 to read 2 files?');
  });

  it('has as many forms as the language distinguishes', () => {
    const polish = '{0, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}';
    assert.deepEqual(
      [1, 2, 5, 22, 25].map((count) => fillPlaceholders(polish, 'pl', [count])),
      ['1 plik', '2 pliki', '5 plików', '22 pliki', '25 plików'],
    );
    assert.equal(fillPlaceholders('{0, plural, other {#个文件}}', 'zh-cn', [1]), '1个文件');
    assert.equal(fillPlaceholders('{0, plural, one {# fichier} other {# fichiers}}', 'fr', [0]), '0 fichier');
  });

  it('writes numbers as the language does', () => {
    assert.equal(fillPlaceholders(FILES, 'de', [12_345]), '12.345 files');
    assert.equal(fillPlaceholders('{0} of {1}', 'de', [12_345, 'a']), '12.345 of a');
    assert.equal(fillPlaceholders('{0} s', 'de', [1.5]), '1,5 s');
  });

  it('has the forms of its own language where the numbers are those of another', () => {
    const texts = [21, 1, 12_345].map((count) => fillPlaceholders(FILES, 'ru', [count], undefined, 'en'));
    assert.deepEqual(texts, ['21 files', '1 file', '12\u00a0345 files']);
  });

  it('leaves values as they are, whatever they contain', () => {
    const odd = '{1} # $& {0, plural, other {x}} \\ ’';
    assert.equal(fillPlaceholders('Remove {0}', 'en', [odd]), `Remove ${odd}`);
    assert.equal(
      fillPlaceholders('{0, plural, one {# hunk of {1}} other {# hunks of {1}}}', 'en', [1, odd]),
      `1 hunk of ${odd}`,
    );
  });

  it('can have the same value twice, and values that it doesn’t use', () => {
    assert.equal(fillPlaceholders('{1}, {1}', 'en', ['a', 'b']), 'b, b');
  });
});
