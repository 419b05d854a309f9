import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { packTexts } from '../../../../scripts/lib/packedTexts.mjs';
import { extensions, l10n } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { translate } = await withEditorStub(() => import('../../../../src/editor/base/packedTexts.ts'));

const german = { 'Open {0}': '{0} öffnen', 'Open {0} now': '{0} jetzt öffnen', values: 'Werte' };
const french = { values: 'valeurs', 'Open {0} now': 'Ouvrir {0} maintenant', 'Open {0}': 'Ouvrir {0}' };
const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value));
const bundleOf = (language: string) => `extension/l10n/bundle.l10n.${language}.json`;

describe('The translations of a package', () => {
  let folder: string;
  const bundles: Record<string, Record<string, string>> = {};
  const { getExtension } = extensions;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-texts-'));
    mkdirSync(join(folder, 'l10n'));
    const files = { [bundleOf('de')]: bytes(german), [bundleOf('fr')]: bytes(french), other: bytes({}) };
    const packed = packTexts(files);
    assert.deepEqual(Object.keys(packed), [...Object.keys(files), 'extension/l10n/texts.json']);
    for (const language of ['de', 'fr'])
      bundles[language] = JSON.parse(new TextDecoder().decode(packed[bundleOf(language)]));
    writeFileSync(join(folder, 'l10n/texts.json'), packed['extension/l10n/texts.json'] ?? '');
  });
  const install = (place: string) => {
    extensions.getExtension = (id?: string) =>
      id === 'k3-chat.k3-chat' ? { extensionPath: place } : undefined;
  };
  afterEach(() => {
    l10n.bundle = {};
    extensions.getExtension = getExtension;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are English where the file of English texts is missing, and no error', () => {
    install(join(folder, 'missing'));
    l10n.bundle = bundles['de'];
    assert.equal(translate('Open {0}', 'a'), 'Open a');
  });

  it('have no English text', () => {
    assert.doesNotMatch(JSON.stringify(bundles), /Open|values/);
  });

  it('are those of the language', () => {
    install(folder);
    const expected = {
      de: ['a öffnen', 'a jetzt öffnen', 'Werte'],
      fr: ['Ouvrir a', 'Ouvrir a maintenant', 'valeurs'],
    };
    for (const [language, texts] of Object.entries(expected)) {
      l10n.bundle = bundles[language];
      assert.deepEqual(
        [translate('Open {0}', 'a'), translate('Open {0} now', 'a'), translate('values')],
        texts,
        language,
      );
    }
  });

  it('are the English texts where a text is in no list, and where there is no language', () => {
    install(folder);
    l10n.bundle = bundles['de'];
    assert.equal(translate('Close {0}', 'a'), 'Close a');
    l10n.bundle = undefined;
    assert.equal(translate('Open {0}', 'a'), 'Open a');
  });

  it('are read as the editor has them in a checkout', () => {
    l10n.bundle = german;
    assert.equal(translate('Open {0}', 'a'), 'a öffnen');
  });

  it('can’t be packed while a language has not all texts', () => {
    const files = { [bundleOf('de')]: bytes(german), [bundleOf('fr')]: bytes({ values: 'valeurs' }) };
    assert.throws(() => packTexts(files), /bundle\.l10n\.fr\.json has not all texts\. Run npm run l10n\./);
  });
});
