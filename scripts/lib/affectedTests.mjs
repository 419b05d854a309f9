/** Finds the tests that a change can affect, by their imports. */
import { build } from 'esbuild';
import { root } from './project.mjs';
import { testsIn } from './suites.mjs';

/**
 * @typedef {object} Graph
 * @property {ReadonlyMap<string, ReadonlySet<string>>} imports for each test file, itself and all direct and indirect imports
 * @property {ReadonlySet<string>} page the files of the webviews
 * @property {ReadonlySet<string>} program the files of all programs
 *
 * @typedef {object} AffectedTests
 * @property {readonly string[]} unit
 * @property {readonly string[]} editor without those with hostile workspaces
 * @property {readonly string[]} pages
 * @property {readonly string[]} workbench tests that use the workbench as a user does, which take minutes each
 */

/**
 * The tests that import a changed file, and tests that can depend on it in another way:
 * - the tests in the extension host of the room with the file,
 * - all tests of pages, for a file of the webviews,
 * - all unit tests, for a file that nothing imports, such as package.json, because unit tests read such files,
 * - always the unit tests of the whole repository, except the slow test that makes a package.
 *
 * @param {readonly string[]} changed paths from the root, with `/`
 * @param {Graph} graph
 * @returns {AffectedTests}
 */
export function affectedTests(changed, { imports, page, program }) {
  const tests = [...imports.keys()];
  const known = (/** @type {string} */ file) => tests.some((test) => imports.get(test)?.has(file));
  const isAll = changed.some((file) => !file.endsWith('.md') && !program.has(file) && !known(file));
  const isPage = changed.some((file) => page.has(file));
  const rooms = new Set(changed.map(roomOf).filter((room) => room !== undefined));
  const imported = new Set(tests.filter((test) => changed.some((file) => imports.get(test)?.has(file))));
  const those = (/** @type {RegExp} */ path, /** @type {(test: string) => boolean} */ isMore) =>
    tests.filter((test) => path.test(test) && (imported.has(test) || isMore(test)));
  return {
    unit: those(/^test\/unit\//, (test) => isAll || /^test\/unit\/(?!packaging\.)[^/]*$/.test(test)),
    editor: those(/^test\/editor\/(?!hostile\/)/, (test) => rooms.has(test.split('/')[2])),
    pages: those(/^test\/ui\/pages\//, () => isPage),
    workbench: those(/^test\/ui\/(?!pages\/)/, () => false),
  };
}

/** The room of `src/editor` that a file is in. @param {string} file */
const roomOf = (file) => /^src\/editor\/([^/]+)\//.exec(file)?.[1];

/** Reads what all tests and programs import. */
export async function readGraph() {
  const tests = (await Promise.all(['test/unit', 'test/editor', 'test/ui'].map(testsIn))).flat();
  const pages = ['src/webview/chat/main.ts', 'src/webview/usage/usagePage.ts', 'src/webview/text/math.ts'];
  const programs = ['src/extension.ts', 'src/editor/images/imageWorker.ts', 'src/emulator/cli.ts'];
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...tests, ...pages, ...programs],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'dist/test/graph',
    platform: 'node',
    format: 'esm',
    packages: 'external',
    loader: { '.svg': 'empty' },
    logLevel: 'error',
  });
  const reached = (/** @type {string[]} */ ...from) => {
    const files = new Set(from);
    for (const file of files)
      for (const { path, external } of metafile.inputs[file]?.imports ?? []) if (!external) files.add(path);
    return files;
  };
  const page = reached(...pages);
  return {
    imports: new Map(tests.map((test) => [test, reached(test)])),
    page,
    program: new Set([...page, ...reached(...programs)]),
  };
}
