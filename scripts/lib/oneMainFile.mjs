/**
 * Puts the chunks that the main file of the extension always loads into the main file. esbuild puts code that the main file shares with
 * files that are loaded later into a chunk for each group of importing files. Finding and reading a file takes a quarter of a millisecond,
 * whatever its size (docs/decisions/2026-11-23-main-file.md). Files that are loaded later import the shared code from the main file.
 */
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
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
 * The modules in a file, as one text that identifies the file. The names of chunks can't identify them, because their hashes change with
 * the output folder.
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
  const users = Object.keys(outputs).filter((file) => isUser(file, [main, ...chunks], outputs));
  const used = await Promise.all(users.map((file) => usedNames(pathOf(file))));
  const merged = new Map(chunks.map((file) => [pathOf(file), toNames(file, outputs)]));
  const contents = [
    `export { ${outputs[main]?.exports.join(', ')} } from ${JSON.stringify(`./${basename(main)}`)};`,
    ...[...merged].map(([path, names]) => {
      const wanted = names.filter(({ name }) => used.some((one) => one.has(`${path}#${name}`)));
      return exportsOf(wanted, ({ name, other }) => `${name} as ${other}`, toSpecifier(folder, path));
    }),
  ].join('\n');
  const options = { ...OPTIONS, ...(target !== undefined && { target }) };
  const inMain = { stdin: { contents, resolveDir: folder }, outfile: pathOf(main), plugins: [later(folder)] };
  const written = [await build({ ...options, ...inMain })];
  for (const [at, file] of users.entries()) {
    const isUsed = (/** @type {string} */ name) => used[at]?.has(name) === true;
    const [outfile, plugins] = [pathOf(file), [fromMain(merged, isUsed, pathOf(main))]];
    written.push(await build({ ...options, entryPoints: [outfile], outfile, plugins }));
  }
  for (const { path, contents } of written.flatMap(({ outputFiles }) => outputFiles))
    await writeFile(path, contents);
  for (const file of chunks.flatMap((chunk) => [chunk, `${chunk}.map`])) {
    await rm(pathOf(file), { force: true });
    delete outputs[file];
  }
}

const OPTIONS = /** @type {const} */ ({
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
  allowOverwrite: true,
});

/**
 * Whether a file that is loaded later imports from those that are always loaded.
 * @param {string} file @param {readonly string[]} always @param {import('esbuild').Metafile['outputs']} outputs
 */
const isUser = (file, always, outputs) =>
  !always.includes(file) && (outputs[file]?.imports ?? []).some(({ path }) => always.includes(path));

/**
 * The names that a file imports from other files, as `PATH#NAME`. esbuild writes imports of chunks only as named imports.
 * @param {string} file
 */
async function usedNames(file) {
  const text = await readFile(file, 'utf8');
  const statements = text.matchAll(/\bimport\s*\{([^}]*)\}\s*from\s*"(\.[^"]*)"/g);
  return new Set(
    [...statements].flatMap(([, names = '', from = '']) =>
      names.split(',').map((name) => `${resolve(dirname(file), from)}#${name.trim().split(' ')[0]}`),
    ),
  );
}

/** @typedef {{ name: string, other: string }} Name the name of an export in its chunk, and in the main file */

/**
 * The names of exports are hashes, not numbers: if an update has replaced the files, the old main file that still runs must not give a
 * chunk the code of another one.
 * @param {string} file @param {import('esbuild').Metafile['outputs']} outputs @returns {readonly Name[]}
 */
function toNames(file, outputs) {
  const id = createHash('sha256').update(toPartsOf(outputs)(file)).digest('base64url').slice(0, 4);
  return (outputs[file]?.exports ?? []).map((name) => ({
    name,
    other: `k${id.replaceAll('-', '$')}${name}`,
  }));
}

/** @param {readonly Name[]} names @param {(name: Name) => string} write @param {string} from */
const exportsOf = (names, write, from) =>
  names.length === 0 ? `import ${from};` : `export { ${names.map(write).join(', ')} } from ${from};`;

/** How a file in a folder imports another one. @param {string} folder @param {string} path */
const toSpecifier = (folder, path) => {
  const way = toSlashes(relative(folder, path));
  return JSON.stringify(way.startsWith('.') ? way : `./${way}`);
};

/**
 * Leaves imports of files that are loaded later, and of packages, as they are.
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

/**
 * Replaces the chunks that are in the main file, where another file imports them.
 * @param {ReadonlyMap<string, readonly Name[]>} merged by their paths
 * @param {(name: string) => boolean} isUsed whether the file imports `PATH#NAME`
 * @param {string} main the path of the main file
 * @returns {import('esbuild').Plugin}
 */
const fromMain = (merged, isUsed, main) => ({
  name: 'from-main',
  setup(rewriting) {
    rewriting.onResolve({ filter: /.*/ }, ({ kind, path, resolveDir, namespace }) => {
      if (kind === 'entry-point') return undefined;
      const absolute = resolve(resolveDir, path);
      const isMerged = namespace !== 'merged' && kind === 'import-statement' && merged.has(absolute);
      if (!isMerged) return { path, external: true };
      // The path is in the source map, which is the same in each checkout.
      const named = toSlashes(relative(dirname(main), absolute));
      return { path: named, namespace: 'merged', pluginData: { absolute, resolveDir } };
    });
    rewriting.onLoad({ filter: /.*/, namespace: 'merged' }, ({ pluginData: { absolute, resolveDir } }) => {
      const names = (merged.get(absolute) ?? []).filter(({ name }) => isUsed(`${absolute}#${name}`));
      const specifier = toSpecifier(resolveDir, main);
      return { contents: exportsOf(names, ({ name, other }) => `${other} as ${name}`, specifier) };
    });
  },
});

const toSlashes = (/** @type {string} */ path) => path.replaceAll(sep, '/');
