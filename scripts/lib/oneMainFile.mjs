/**
 * Puts the chunks that the main file of the extension always loads into that file. Of code that the main file shares with what is
 * loaded later, esbuild makes a chunk for each group of users, and each file takes a quarter of a millisecond to find and read,
 * whatever its size (docs/decisions/2026-11-23-main-file.md). What is loaded later gets the shared code from the main file.
 */
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

/**
 * @param {string} entry the module of the main file, as esbuild names it
 * @returns {import('esbuild').Plugin}
 */
export const oneMainFile = (entry) => ({
  name: 'one-main-file',
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(async ({ metafile, errors }) => {
      if (metafile === undefined || errors.length > 0) return;
      const { outputs } = metafile;
      const main = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === entry);
      if (main === undefined) throw new Error(`no program is built of ${entry}`);
      const chunks = loadedWith(main, outputs);
      if (chunks.length === 0) return;
      const { target, absWorkingDir: root = process.cwd() } = initialOptions;
      await merge(main, chunks, { outputs, target, pathOf: (file) => resolve(root, file) });
    });
  },
});

/**
 * The chunks that are loaded whenever a program is.
 * @param {string} main @param {import('esbuild').Metafile['outputs']} outputs
 */
function loadedWith(main, outputs) {
  const found = new Set([main]);
  for (const file of found)
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && !external) found.add(path);
  const partsOf = toPartsOf(outputs);
  return [...found].filter((file) => file !== main).sort((a, b) => (partsOf(a) < partsOf(b) ? -1 : 1));
}

/**
 * The modules in a file, as one text that tells it from the others. The names of chunks have hashes that change with the folder that
 * is built into.
 * @param {import('esbuild').Metafile['outputs']} outputs
 */
const toPartsOf = (outputs) => (/** @type {string} */ file) =>
  Object.keys(outputs[file]?.inputs ?? {}).join();

/**
 * @typedef {object} Built
 * @property {import('esbuild').Metafile['outputs']} outputs
 * @property {import('esbuild').BuildOptions['target']} target
 * @property {(file: string) => string} pathOf the absolute path of an output
 */

/** @param {string} main @param {readonly string[]} chunks @param {Built} built */
async function merge(main, chunks, { outputs, target, pathOf }) {
  const folder = dirname(pathOf(main));
  const from = (/** @type {string} */ file) =>
    JSON.stringify(`./${toSlashes(relative(folder, pathOf(file)))}`);
  const partsOf = toPartsOf(outputs);
  const shared = chunks.map((file) => {
    // Not a number: when an update replaces the files, the main file of before that still runs must not take another chunk for it.
    const id = createHash('sha256').update(partsOf(file)).digest('hex').slice(0, 8);
    const names = (outputs[file]?.exports ?? []).map((name) => ({ name, other: `k${id}_${name}` }));
    return { file, names };
  });
  const contents = [
    `export { ${outputs[main]?.exports.join(', ')} } from ${from(main)};`,
    ...shared.map(({ file, names }) =>
      exportsOf(names, ({ name, other }) => `${name} as ${other}`, from(file)),
    ),
  ].join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    outfile: pathOf(main),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    ...(target !== undefined && { target }),
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    allowOverwrite: true,
    plugins: [later(folder)],
  });
  for (const { path, contents } of outputFiles) await writeFile(path, contents);
  for (const { file, names } of shared) {
    const path = pathOf(file);
    const mainFile = JSON.stringify(toSlashes(relative(dirname(path), pathOf(main))));
    await writeFile(
      path,
      exportsOf(names, ({ name, other }) => `${other} as ${name}`, mainFile),
    );
    await rm(`${path}.map`, { force: true });
    delete outputs[`${file}.map`];
  }
}

/** @typedef {{ name: string, other: string }} Name the name of an export in its chunk, and in the main file */

/** @param {readonly Name[]} names @param {(name: Name) => string} write @param {string} from */
const exportsOf = (names, write, from) =>
  names.length === 0 ? `import ${from};` : `export { ${names.map(write).join(', ')} } from ${from};`;

/**
 * What is loaded later stays where it is, and so does what is no file of ours.
 * @param {string} folder @returns {import('esbuild').Plugin}
 */
const later = (folder) => ({
  name: 'later',
  setup(merging) {
    merging.onResolve({ filter: /.*/ }, ({ kind, path, resolveDir }) => {
      if (!path.startsWith('.')) return { path, external: true };
      if (kind !== 'dynamic-import') return undefined;
      return { path: `./${toSlashes(relative(folder, resolve(resolveDir, path)))}`, external: true };
    });
  },
});

const toSlashes = (/** @type {string} */ path) => path.replaceAll(sep, '/');
