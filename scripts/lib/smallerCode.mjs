/**
 * Minifies built programs once more, with Terser, which removes more code that can't be reached
 * (docs/decisions/2026-11-22-package.md).
 */
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { kept } from './buildCache.mjs';
import { cache, root } from './project.mjs';

/** Shared by all checkouts: a new checkout of sources that another checkout has built finds all programs here. */
const cacheFolder = join(cache, 'minified');

/** @type {import('terser').MinifyOptions} */
const OPTIONS = {
  ecma: 2020,
  compress: { passes: 2 },
  // Other characters are shorter here, but longer when they are compressed, and the engine needs twice the memory for the file.
  // Functions in parentheses would be compiled when the file is loaded, which is for programs that call them at once.
  format: { comments: false, ascii_only: true, wrap_func_args: false },
};

/** @type {import('esbuild').Plugin} */
export const smallerCode = {
  name: 'smaller-code',
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    const isModule = initialOptions.format === 'esm';
    onEnd(async ({ metafile }) => {
      const files = Object.keys(metafile?.outputs ?? {}).filter((file) => file.endsWith('.js'));
      for (const file of files)
        await makeSmaller(file, { isModule, hasMap: metafile?.outputs[`${file}.map`] !== undefined });
    });
  },
};

/**
 * Replaces a program, and its source map if it has one, beside it.
 *
 * @param {string} file
 * @param {{ isModule: boolean, hasMap?: boolean, folder?: string }} options `folder`: where what was made is kept
 */
export async function makeSmaller(file, { isModule, hasMap = false, folder = cacheFolder }) {
  const mapFile = `${file}.map`;
  const built = await readFile(file, 'utf8');
  const hashes = hashesOf(built);
  const placeholders = hashes.map((_, index) => toPlaceholder(index));
  const code = withOthers(built, hashes, (index) => placeholders[index] ?? '');
  const map = hasMap ? withSources(await readFile(mapFile, 'utf8'), inRoot(file)) : undefined;
  const options = { ...OPTIONS, module: isModule };
  // What this file does differs between the checkouts that share the folder.
  const from = [options, code, map, terserVersion(), await readFile(import.meta.filename, 'utf8')];
  const made = await kept(folder, from, () => minified(code, map, options));
  const finished = withOthers(made.code, placeholders, (index) => hashes[index] ?? '');
  if (made.map === undefined) return writeFile(file, finished);
  await writeFile(file, `${finished}\n//# sourceMappingURL=${basename(mapFile)}\n`);
  await writeFile(mapFile, withSources(made.map, besides(file)));
}

/** @param {string} code @param {string | undefined} map @param {import('terser').MinifyOptions} options */
async function minified(code, map, options) {
  const { minify } = await import('terser');
  const made = await minify(code, { ...options, ...(map !== undefined && { sourceMap: { content: map } }) });
  if (!made.code) throw new Error('nothing is left of a program');
  return { code: made.code, ...(map !== undefined && { map: String(made.map) }) };
}

/** The hashes in the names of the chunks that a program loads, each once. */
const hashesOf = (/** @type {string} */ code) => [
  ...new Set(
    [...code.matchAll(/(?<=["'`]\.\/(?:chunks\/)?\w+-)[A-Z0-9]{8}(?=\.js["'`])/g)].map(([hash]) => hash),
  ),
];

/**
 * Takes the place of the hash of a chunk in a program that loads the chunk, because the hash depends on the output folder and the chunk,
 * not on the program. It is as long as the hash, so that the positions in the source map stay the same.
 */
const toPlaceholder = (/** @type {number} */ index) => `_K3_${String(index).padStart(4, '0')}`;

/** @param {string} code @param {Iterable<string>} words @param {(index: number) => string} other */
function withOthers(code, words, other) {
  return [...words].reduce(
    (text, word, index) => text.replaceAll(`-${word}.js`, `-${other(index)}.js`),
    code,
  );
}

const terserVersion = () => {
  const manifest = createRequire(import.meta.url).resolve('terser/package.json');
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
};

/**
 * A path in the source map, relative to the checkout. The cache keeps programs with such paths, so that the same program of another
 * checkout is found.
 */
const inRoot = (/** @type {string} */ file) => (/** @type {string} */ source) =>
  toSlashes(relative(root, resolve(dirname(file), source)));
const besides = (/** @type {string} */ file) => (/** @type {string} */ source) =>
  toSlashes(relative(resolve(dirname(file)), resolve(root, source)));

const toSlashes = (/** @type {string} */ path) => path.replaceAll(sep, '/');

/** @param {string} map @param {(source: string) => string} change */
function withSources(map, change) {
  const parsed = JSON.parse(map);
  return JSON.stringify({ ...parsed, sources: parsed.sources.map(change) });
}
