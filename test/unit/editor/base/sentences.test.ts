import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ENGLISH, readTexts, translationOf } from '../../../../scripts/lib/l10n.mjs';
import { l10n } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { firstLines, joinList, joinSentences, toSentence } = await withEditorStub(
  () => import('../../../../src/editor/base/sentences.ts'),
);

const speak = (language: string) => {
  l10n.bundle = readTexts(translationOf(ENGLISH.code, language));
};
describe('Sentences and lists', () => {
  afterEach(() => {
    l10n.bundle = {};
  });

  it('have periods, commas, and spaces in English and German', () => {
    for (const language of ['en', 'de']) {
      speak(language);
      assert.equal(joinSentences([toSentence('A'), '', 'B.', 'C.']), 'A. B. C.');
      assert.equal(joinList(['a', '', 'b', 'c']), 'a, b, c');
    }
  });

  it('end with the number of lines that are left out, if there are more', () => {
    assert.deepEqual(firstLines(['a', 'b', 'c'], 2), ['a', 'b', '… and 1 more']);
    assert.deepEqual(firstLines(['a', 'b'], 2), ['a', 'b']);
  });

  it('have the punctuation of Chinese and Japanese, without spaces', () => {
    const expected = { 'zh-cn': ['甲。乙。', '甲，乙，丙'], ja: ['甲。乙。', '甲、乙、丙'] };
    for (const [language, [sentences, list]] of Object.entries(expected)) {
      speak(language);
      assert.equal(joinSentences([toSentence('甲'), '乙。']), sentences);
      assert.equal(joinList(['甲', '乙', '丙']), list);
    }
  });

  it('are empty without parts, and keep braces in values', () => {
    assert.equal(joinSentences([]), '');
    assert.equal(joinList([]), '');
    assert.equal(joinList(['{1}']), '{1}');
  });
});
