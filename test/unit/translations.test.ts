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
