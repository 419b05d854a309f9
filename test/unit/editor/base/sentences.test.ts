import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ENGLISH, readTexts, translationOf } from '../../../../scripts/lib/l10n.mjs';
import { l10n } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toImageChip } = await withEditorStub(() => import('../../../../src/editor/composer/imageWords.ts'));
const { keyPrompt } = await withEditorStub(() => import('../../../../src/editor/connection/keyInput.ts'));
const { cacheLine } = await withEditorStub(() => import('../../../../src/editor/wording/cacheWords.ts'));
const { copiedWords } = await withEditorStub(() => import('../../../../src/editor/wording/countWords.ts'));
const { describeFailure } = await withEditorStub(
  () => import('../../../../src/editor/wording/failureWords.ts'),
);
const { describeRefusal } = await withEditorStub(
  () => import('../../../../src/editor/wording/refusalWords.ts'),
);

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

/** Texts of two sentences, each in one of the ways in which they are put together. */
const TEXTS: Readonly<Record<string, () => string>> = {
  'how much was cached': () =>
    cacheLine({ cachedTokens: 0, expectedTokens: 9, changed: 'model', message: undefined }),
  'a database that was copied': () => copiedWords(2, 1),
  'a proxy that can’t be reached': () =>
    describeFailure(
      { kind: 'unreachable', details: { proxy: true } },
      { routeName: 'work', routeKind: 'direct', model: 'k3' },
    ).body.join('\n'),
  'the daily cap': () => describeRefusal({ kind: 'over-cap', cap: 1, spent: 2, inputCost: 1 }),
  'an image of which one frame is kept': () => {
    const size = { width: 9, height: 9, bytes: 9 };
    return toImageChip({ name: 'a.gif', url: '', scaling: { from: size, to: size, stilled: true } }).detail;
  },
  'a key that can be intercepted': () => keyPrompt('http://example.com'),
};

describe('Sentences in Chinese and Japanese', () => {
  afterEach(() => {
    l10n.bundle = {};
  });

  for (const [name, text] of Object.entries(TEXTS))
    it(`have no space between them in the text about ${name}`, () => {
      for (const language of ['zh-cn', 'ja']) {
        speak(language);
        assert.match(text(), /。[^\s]/);
        assert.doesNotMatch(text(), /。 /);
      }
    });
});
