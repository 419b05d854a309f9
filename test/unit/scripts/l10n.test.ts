import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { problemsOf, pseudo, textsOf } from '../../../scripts/lib/l10n.mjs';
import { fillPlaceholders } from '../../../src/panel/placeholders.ts';

const FILES = '{0, plural, one {# file of {1}} other {# files of {1}}}';
/** What is wrong with the translation of one text. */
const wrong = (english: string, translated: string, language = 'de') =>
  problemsOf({ key: english }, { key: translated }, language).map((problem) => problem.replace('“key” ', ''));

describe('The texts of a file', () => {
  it('are those that vscode.l10n.t gets, also by the name t, and those of the tables of words', () => {
    const source = `const t = vscode.l10n.t;
      show(t('Add {0}', name), vscode.l10n.t(
        'Close'), other.t('no'));
      export const PANEL_WORDS = ['Send', 'Stop'] as const;
      const others = ['no'];`;
    assert.deepEqual([...textsOf('src/a.ts', source)].sort(), ['Add {0}', 'Close', 'Send', 'Stop']);
  });

  it('are not those of another function with the name t', () => {
    assert.deepEqual(textsOf('src/a.ts', "const t = other; t('no');"), []);
  });

  it('can only be told if the file is correct', () => {
    assert.throws(() => textsOf('src/a.ts', "vscode.l10n.t('Add'"), /src\/a.ts/);
  });

  it('must be written out', () => {
    assert.throws(
      () => textsOf('src/a.ts', 'const t = vscode.l10n.t; t(name)'),
      /src\/a.ts: .*needs a string/,
    );
    assert.throws(() => textsOf('src/a.ts', 'vscode.l10n.t(`Add`)'), /needs a string/);
  });
});

describe('A translation', () => {
  it('has every text, and none that English doesn’t have', () => {
    assert.deepEqual(problemsOf({ Add: 'Add', Close: 'Close' }, { Add: '', Send: 'Senden' }, 'de'), [
      '“Add” is missing.',
      '“Close” is missing.',
      '“Send” is obsolete: English doesn’t have it any more.',
    ]);
    assert.deepEqual(problemsOf({ Add: 'Add' }, { Add: 'Hinzufügen' }, 'de'), []);
  });

  it('has the same placeholders, in any order', () => {
    assert.deepEqual(wrong('{0} of {1}', 'von {1}: {0}'), []);
    assert.deepEqual(wrong('{0} of {1}', 'von {1}'), ['has the placeholders {1} instead of {0}, {1}.']);
    assert.deepEqual(wrong('Close', 'Schließe {0}'), ['has the placeholders {0} instead of (none).']);
  });

  it('has the plural forms of its language', () => {
    assert.deepEqual(wrong(FILES, '{0, plural, one {# Datei von {1}} other {# Dateien von {1}}}'), []);
    assert.deepEqual(wrong(FILES, '{0, plural, other {{1} 的 # 个文件}}', 'zh-cn'), []);
    assert.deepEqual(wrong(FILES, '{0, plural, other {# Dateien von {1}}}'), [
      'has the plural forms other, but de needs one, other, once each.',
    ]);
    assert.deepEqual(wrong(FILES, '{0, plural, one {{1} 的 # 个文件} other {{1} 的 # 个文件}}', 'zh-cn'), [
      'has the plural forms one, other, but zh-cn needs other, once each.',
    ]);
    assert.deepEqual(wrong(FILES, '{0} Dateien von {1}'), [
      'needs the forms of a plural, as English: {0, plural, one {…} other {…}}.',
    ]);
    const oneTwice = '{0, plural, one {# Datei von {1}} one {# Datei} other {# Dateien}}';
    assert.match(wrong(FILES, oneTwice).join(), /^has the plural forms one, one, other/);
  });

  it('has well-formed plurals', () => {
    for (const broken of [
      '{0,plural,one {# Datei von {1}} other {# Dateien von {1}}}',
      '{0, plural, one {# Datei von {1}} und other {# Dateien von {1}}}',
      '{0, plural, one {# Datei von {1}} other {# Dateien von {1}}',
      '{0, Plural, one {# Datei von {1}} other {# Dateien von {1}}}',
    ])
      assert.notDeepEqual(wrong(FILES, broken), [], broken);
  });

  it('keeps command links, icons, code, and names of settings', () => {
    const english = '$(add) [Add](command:k3.addRoute) `reasoning` in k3.routes.{0}.baseUrl';
    assert.deepEqual(
      wrong(english, '`reasoning` in k3.routes.{0}.baseUrl: $(add) [Los](command:k3.addRoute)'),
      [],
    );
    assert.deepEqual(
      wrong(english, '$(added) [Los](command:k3.other) `Denken` in k3.route.{0}.baseUrl').map(
        (problem) => problem.split(':')[0],
      ),
      ['changes the command links', 'changes the icons', 'changes the code', 'changes the setting'],
    );
  });

  it('does not begin or end with a space', () => {
    assert.deepEqual(wrong('Add', 'Los '), ['begins or ends with a space.']);
  });
});

describe('The pseudo-language', () => {
  it('is longer, in brackets, and keeps what every language keeps', () => {
    assert.equal(pseudo('Add {0} to k3.routes'), '⟦Ààdd {0} töö k3.routes⟧');
    assert.equal(
      pseudo('[Add Route](command:k3.addRoute) $(add) `effort`'),
      '⟦[Ààdd Rööüütéé](command:k3.addRoute) $(add) `effort`⟧',
    );
  });

  it('keeps the forms of plurals, with and without the number', () => {
    assert.equal(fillPlaceholders(pseudo(`Read ${FILES}`), 'en', [1, 'a']), '⟦Rééààd 1 fïïléé ööf a⟧');
    assert.equal(
      fillPlaceholders(pseudo('{0, plural, one {this file} other {these # files}}'), 'en', [1]),
      '⟦thïïs fïïléé⟧',
    );
  });

  it('is a translation that nothing is wrong with', () => {
    for (const english of [FILES, '[Add](command:k3.addRoute) {0}', 'Set `a` in k3.routes.{0}.baseUrl'])
      assert.deepEqual(wrong(english, pseudo(english), 'en'), []);
  });
});
