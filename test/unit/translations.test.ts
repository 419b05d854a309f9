/** The English bundle is that of the sources, and each language that there is has everything. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  ENGLISH,
  languages,
  problemsOf,
  pseudoTexts,
  readTexts,
  textsOfSources,
  translationOf,
} from '../../scripts/lib/l10n.mjs';
import { allOrigins, origins, outdated, readOrigins } from '../../scripts/lib/translatedFrom.mjs';

const advice = 'Run `npm run l10n`.';

describe('The texts for translators', () => {
  it('are those of the sources (npm run l10n writes them)', () => {
    const bundle = readTexts(ENGLISH.code);
    const texts = textsOfSources();
    const absent = Object.keys(texts).filter((text) => !(text in bundle));
    const old = Object.keys(bundle).filter((text) => !(text in texts));
    assert.deepEqual({ absent, old }, { absent: [], old: [] }, advice);
    assert.deepEqual(bundle, texts, advice);
  });

  for (const [kind, file] of Object.entries(ENGLISH)) {
    it(`can all be checked: nothing is wrong with the pseudo-language (${kind})`, () => {
      const english = readTexts(file);
      assert.deepEqual(problemsOf(english, pseudoTexts(english), 'en'), []);
    });

    for (const language of languages()) {
      it(`are complete in ${translationOf(file, language)}, with the same placeholders and links`, () => {
        const found = problemsOf(readTexts(file), readTexts(translationOf(file, language)), language);
        assert.deepEqual(found, [], `${found.length} to correct. ${advice}`);
      });
    }
  }
});

/** What is not written in a language, although it is in other texts of that language, or in English. */
const AVOIDED: Readonly<Record<string, RegExp>> = {
  de: /Promptdatei|Einstellungseditor|”/,
  es: /[«»]/,
  // A line must not begin with a sign, and the spaces of French before it are no usual ones.
  fr: / [:;?!»]|« |K3:|\bdemandes?\b(?= est| sont|})/,
  ja: /[“”]|出力の予算/,
  'zh-cn': /[您：（;]|\?(?! )|仓库/,
};

describe('Translations', () => {
  const english = { ...readTexts(ENGLISH.manifest), ...identity(readTexts(ENGLISH.code)) };
  const textsOf = (language: string) => ({
    ...readTexts(translationOf(ENGLISH.manifest, language)),
    ...readTexts(translationOf(ENGLISH.code, language)),
  });

  for (const language of languages()) {
    it(`name commands by their titles, word for word (${language})`, () => {
      const texts = textsOf(language);
      const titles = new Map(
        Object.entries(english).flatMap(([key, title]) =>
          key.startsWith('command.') ? [[title, texts[key] ?? '']] : [],
        ),
      );
      const colon = language === 'fr' ? '\u00a0: ' : ': ';
      const wrong = Object.entries(english).flatMap(([key, text]) =>
        [...text.matchAll(/(?:“|\*\*)K3: ([^”*]+)/g)].flatMap(([, title = '']) =>
          texts[key]?.includes(`K3${colon}${titles.get(title)}`) === true ? [] : [`${title}: ${texts[key]}`],
        ),
      );
      assert.deepEqual(wrong, []);
    });

    it(`have one form of address, and the punctuation of the language (${language})`, () => {
      const avoided = AVOIDED[language] ?? assert.fail(`What does ${language} avoid?`);
      const wrong = Object.values(textsOf(language)).filter((text) => avoided.test(text));
      assert.deepEqual(wrong, []);
    });
  }
});

/** The texts of the code are their own keys. */
function identity(texts: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(texts).map((text) => [text, text]));
}

describe('The English that translations were made from', () => {
  const known = origins({ a: 'Ask', b: 'Stop' }, { a: 'Fragen', b: 'Beenden' }, {});

  it('is that of today (npm run l10n writes which it was)', () => {
    const english = readTexts(ENGLISH.manifest);
    for (const language of languages()) {
      const translated = readTexts(translationOf(ENGLISH.manifest, language));
      assert.deepEqual(outdated(english, translated, readOrigins()[language] ?? {}), [], language);
    }
    assert.deepEqual(readOrigins(), allOrigins(), advice);
  });

  it('is noticed when it changes and the translation stays', () => {
    const english = { a: 'Ask', b: 'Stop the answer' };
    assert.deepEqual(outdated(english, { a: 'Fragen', b: 'Beenden' }, known), ['b']);
    // Being asked again doesn't make it a translation of the new text.
    const later = origins(english, { a: 'Fragen', b: 'Beenden' }, known);
    assert.deepEqual(outdated(english, { a: 'Fragen', b: 'Beenden' }, later), ['b']);
  });

  it('may change together with the translation, and a translation alone', () => {
    const english = { a: 'Ask', b: 'Stop the answer' };
    assert.deepEqual(outdated(english, { a: 'Eine Frage stellen', b: 'Antwort beenden' }, known), []);
  });

  it('is recorded anew when a translation was removed and comes again', () => {
    const english = { a: 'Ask', b: 'Stop the answer' };
    const removed = origins(english, { a: 'Fragen', b: '' }, known);
    assert.deepEqual(outdated(english, { a: 'Fragen', b: 'Beenden' }, removed), []);
  });
});
