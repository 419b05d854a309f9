/**
 * Imports the API of the editor once for all modules, and names its function for translations once. esbuild writes both for each
 * module, with other names, which makes the main file larger and worse to compress (docs/decisions/2026-11-22-package.md).
 */
import { readFile } from 'node:fs/promises';

const ONCE = 'once:vscode';
/** As modules write it. One that writes it in another way has its own. */
const API = "import * as vscode from 'vscode';";
const TRANSLATE = 'const t = vscode.l10n.t;';

/** @type {import('esbuild').Plugin} */
export const oneEditorApi = {
  name: 'one-editor-api',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: new RegExp(`^${ONCE}$`) }, () => ({ path: ONCE, namespace: ONCE }));
    onLoad({ filter: /.*/, namespace: ONCE }, () => ({
      contents: [API, TRANSLATE, 'export { t, vscode };'].join('\n'),
    }));
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: withOneApi(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/** The lines stay where they are, for the source map. */
export const withOneApi = (/** @type {string} */ code) =>
  code
    .replace(API, `import { vscode } from '${ONCE}';`)
    .replace(`\n${TRANSLATE}\n`, `\nimport { t } from '${ONCE}';\n`);
