import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ENGLISH, readTexts, translationOf } from '../../../../scripts/lib/l10n.mjs';
import { l10n } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toRepairText } = await withEditorStub(
  () => import('../../../../src/editor/structured/structuredWords.ts'),
);

describe('The question that asks for correct JSON', () => {
  afterEach(() => {
    l10n.bundle = {};
  });

  it('has sentences as the language writes them', () => {
    assert.match(
      toRepairText('{', { kind: 'not-json' }),
      /can’t be read\. Not valid JSON: .+\.\n\nAnswer again/,
    );
    l10n.bundle = readTexts(translationOf(ENGLISH.code, 'ja'));
    const [said = ''] = toRepairText('{', { kind: 'not-json' }).split('\n');
    assert.match(said, /。[^ ].+。$/);
  });
});
