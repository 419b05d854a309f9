/** Measures which parts of a source file a unit test reaches, with the coverage of V8. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { root } from '../lib/project.mjs';
import { testsIn } from '../lib/suites.mjs';
import { runTests } from './tests.mjs';

/** @typedef {[start: number, end: number, count: number]} Range offsets in UTF-16 units */
/** @typedef {{ test: string, seconds: number, files: Record<string, Range[]> }} Reach what a test file reaches in src */

const cacheFolder = join(root, 'node_modules/.cache/k3-mutants');

/**
 * Runs each unit test file that imports a file of the folder, on its own, and returns the code that it reaches. A test file is
 * run again only if it or one of its imports has changed.
 * @param {string} folder of src
 * @param {(line: string) => void} tell
 * @returns {Promise<Reach[]>}
 */
export async function reachOf(folder, tell) {
  await mkdir(cacheFolder, { recursive: true });
  const imports = createImports();
  const reaches = [];
  for (const test of await testsIn('test/unit')) {
    const closure = await imports.closure(test);
    if (!closure.some((file) => file.startsWith(`src/${folder}/`))) continue;
    const cached = join(cacheFolder, `${await imports.hash(closure)}.json`);
    if (!existsSync(cached)) {
      tell(`Measuring ${test} …`);
      const reach = await measure(test);
      if (reach === undefined) {
        tell(`${test} fails, or takes too long: left out.`);
        continue;
      }
      await writeFile(cached, JSON.stringify(reach));
    }
    reaches.push(/** @type {Reach} */ (JSON.parse(await readFile(cached, 'utf8'))));
  }
  return reaches;
}

/** The imports of files, each file read once. Paths are relative to the checkout. */
function createImports() {
  /** @type {Map<string, Promise<{ text: string, next: string[] }>>} */
  const files = new Map();
  const read = (/** @type {string} */ file) => {
    const known = files.get(file) ?? load(file);
    files.set(file, known);
    return known;
  };
  return {
    /** A file and all that it imports, directly or not. */
    async closure(/** @type {string} */ file) {
      const seen = new Set([file]);
      for (const one of seen) for (const next of (await read(one)).next) seen.add(next);
      return [...seen].sort();
    },
    async hash(/** @type {string[]} */ closure) {
      const hash = createHash('sha256');
      for (const file of closure) hash.update(`${file}\0${(await read(file)).text}\0`);
      return hash.digest('hex').slice(0, 32);
    },
  };
}

async function load(/** @type {string} */ file) {
  const text = await readFile(join(root, file), 'utf8');
  if (!/\.[mc]?ts$|\.mjs$/.test(file)) return { text, next: [] };
  const { staticImports, staticExports } = parseSync(file, text).module;
  const names = [
    ...staticImports.map((one) => one.moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...[...text.matchAll(/import\('(\.[^']+)'\)/g)].flatMap(([, name]) => name ?? []),
  ];
  const next = names
    .filter((name) => name.startsWith('.'))
    .map((name) =>
      relative(root, join(root, dirname(file), name))
        .split(sep)
        .join('/'),
    )
    .filter((path) => existsSync(join(root, path)));
  return { text, next };
}

/** Runs a test file and returns the code that it reaches; undefined if it fails. */
async function measure(/** @type {string} */ test) {
  const folder = await mkdtemp(join(tmpdir(), 'k3-reach-'));
  try {
    const began = performance.now();
    const result = await runTests([test], { NODE_V8_COVERAGE: folder }, 120);
    if (result !== 'passed') return undefined;
    /** @type {Record<string, Range[]>} */
    const files = {};
    for (const name of await readdir(folder)) {
      const { result: scripts } = JSON.parse(await readFile(join(folder, name), 'utf8'));
      for (const { url, functions } of scripts) {
        const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)).split(sep).join('/') : '';
        if (!file.startsWith('src/')) continue;
        files[file] ??= [];
        for (const { ranges } of functions)
          for (const one of ranges) files[file].push([one.startOffset, one.endOffset, one.count]);
      }
    }
    return { test, seconds: (performance.now() - began) / 1000, files };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Whether a test file runs the code at an offset: the count of the smallest range around the offset isn't 0, in at least one
 * process.
 * @param {Reach} reach
 * @param {string} file
 * @param {number} offset
 */
export function reaches({ files }, file, offset) {
  const around = (files[file] ?? []).filter(([start, end]) => start <= offset && offset < end);
  const size = Math.min(...around.map(([start, end]) => end - start));
  return around.some(([start, end, count]) => end - start === size && count > 0);
}
