/**
 * Imports the API of the editor once for all modules, and has one function for translations, which also reads those of the package.
 * esbuild writes both for each module, with other names, which makes the main file larger and worse to compress
 * (docs/decisions/2026-11-22-package.md).
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './project.mjs';

const ONCE = 'once:vscode';
/** As modules write it. One that writes it in another way has its own, and can't translate. */
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

/** The lines stay where they are, for the source map. */
export function withOneApi(/** @type {string} */ code) {
  if (code.includes(TRANSLATE) && !code.includes(API))
    throw new Error(`A module that uses ${TRANSLATE} has to begin with: ${API}`);
  return code
    .replace(API, `import { t as translateText, vscode } from '${ONCE}';`)
    .replace(`\n${DECLARATION}\n`, `\nimport { t } from '${ONCE}';\n`)
    .replaceAll(TRANSLATE, 'translateText');
}
