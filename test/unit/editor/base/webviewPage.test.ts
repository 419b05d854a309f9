import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { afterEach, describe, it } from 'mocha';
import * as stub from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toPage } = await withEditorStub(() => import('../../../../src/editor/base/webviewPage.ts'));

const root = new URL('../../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

describe('The icon of a tab', () => {
  it('is one for each kind of theme, with a color of its own: an image doesn’t have that of the text', () => {
    for (const theme of ['light', 'dark'])
      assert.match(read(`media/k3-${theme}.svg`), /stroke="#[0-9a-f]{6}"/i, theme);
    const sources = globSync('src/editor/*/*.ts', { cwd: root }).map(read);
    const given = sources.flatMap((source) => source.match(/\b(tab|opened|panel)\.iconPath = [^;]+/g) ?? []);
    assert.equal(given.length, 2, 'the chat and the usage page');
    for (const icon of given) assert.match(icon, /= toTabIcon\(/);
  });
});

describe('The language of a page', () => {
  const { language } = stub.env;
  const { bundle } = stub.l10n;
  afterEach(() => {
    stub.env.language = language;
    stub.l10n.bundle = bundle;
  });

  const languagesOf = () => {
    const webview = { cspSource: 'source', asWebviewUri: String };
    const page = toPage(webview as never, stub.Uri.parse('/extension') as never, {
      kind: 'chat',
      bundle: 'webview',
      title: 'K3',
    });
    return [...page.matchAll(/<(html|body)\b[^>]* lang="([^"]*)"/g)].map(([, name, tag]) => `${name} ${tag}`);
  };

  it('is English for its texts where these have no translation, and that of the editor for its numbers', () => {
    stub.env.language = 'sv';
    stub.l10n.bundle = undefined;
    assert.deepEqual(languagesOf(), ['html sv', 'body en']);
    stub.env.language = 'de';
    stub.l10n.bundle = { Send: 'Senden' };
    assert.deepEqual(languagesOf(), ['html de', 'body de']);
  });
});
