import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { after, before, describe, it } from 'mocha';
import { oneEditorApi, withOneApi } from '../../../scripts/lib/oneEditorApi.mjs';

describe('The API of the editor in a build', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-api-'));
    mkdirSync(join(folder, 'src'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is imported once for all modules, and so is its function for translations', async () => {
    const head = "import * as vscode from 'vscode';\n\nconst t = vscode.l10n.t;\n";
    const write = (name: string, code: string) => writeFileSync(join(folder, 'src', name), code);
    write('other.ts', `${head}export const tell = () => vscode.window.showInformationMessage(t('Two'));\n`);
    write(
      'types.ts',
      "import * as vscode from 'vscode';\nexport const at = (uri: vscode.Uri) => uri.path;\n",
    );
    write(
      'main.ts',
      `import { at } from './types.ts';\nimport { tell } from './other.ts';\n${head}export const say = (uri: vscode.Uri) => [vscode.env.appName, t('One'), vscode.l10n.t('Three'), tell(), at(uri)];\n`,
    );
    const { outputFiles } = await build({
      ...{ bundle: true, format: 'esm', platform: 'node', write: false, external: ['vscode'] },
      entryPoints: [join(folder, 'src/main.ts')],
      plugins: [oneEditorApi],
    });
    const code = outputFiles[0]?.text ?? '';
    // One is that of the function for translations.
    assert.equal(code.match(/from "vscode"/g)?.length, 2, code);
    assert.equal(code.match(/l10n\.t\b/g)?.length, 1, code);
    assert.match(code, /vscode\.window\.showInformationMessage\(translate\("Two"\)\)/);
    assert.match(
      code,
      /\[vscode\.env\.appName, translate\("One"\), translate\("Three"\), tell\(\), at\(uri\)\]/,
    );
  });

  it('refuses a module that would have translations of its own', () => {
    const code =
      "import { l10n } from 'vscode';\nimport vscode from 'vscode';\nexport const one = vscode.l10n.t('One');\n";
    assert.throws(() => withOneApi(code), /has to begin with: import \* as vscode/);
  });

  it('has the lines of a module where they were', () => {
    const code =
      "// One\nimport * as vscode from 'vscode';\n\nconst t = vscode.l10n.t;\nexport const two = t('Two');\n";
    assert.notEqual(withOneApi(code), code);
    assert.equal(withOneApi(code).split('\n').indexOf("export const two = t('Two');"), 4);
  });
});
