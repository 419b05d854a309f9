/**
 * Imports the API of the editor once for all modules, and gives them one function for translations, which also reads the packed texts of
 * the package. esbuild would write both for each module, with different names, which makes the main file larger and compresses worse
 * (docs/decisions/2026-11-22-package.md).
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './project.mjs';

const ONCE = 'once:vscode';
/** The import as modules write it. A module with another form would keep its own import, and couldn't read the packed texts. */
const API = "import * as vscode from 'vscode';";
const DECLARATION = 'const t = vscode.l10n.t;';
const TRANSLATE = 'vscode.l10n.t';
const PACKED = join(root, 'src/editor/base/packedTexts.ts');

/** @type {import('esbuild').Plugin} */
export const oneEditorApi = {
  name: 'one-editor-api',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: new RegExp(`^${ONCE}$`) }, () => ({ path: ONCE, namespace: ONCE }));
    onLoad({ filter: /.*/, namespace: ONCE }, () => ({
      contents: `${API}\nexport { vscode };\nexport { translate as t } from ${JSON.stringify(PACKED)};`,
      resolveDir: root,
    }));
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: path === PACKED ? undefined : withOneApi(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/** The code of a module without its own import of the API. The number of lines stays the same, for the source map. */
export function withOneApi(/** @type {string} */ code) {
  if (code.includes(TRANSLATE) && !code.includes(API))
    throw new Error(`A module that uses ${TRANSLATE} has to begin with: ${API}`);
  return code
    .replace(API, `import { t as translateText, vscode } from '${ONCE}';`)
    .replace(`\n${DECLARATION}\n`, `\nimport { t } from '${ONCE}';\n`)
    .replaceAll(TRANSLATE, 'translateText');
}
