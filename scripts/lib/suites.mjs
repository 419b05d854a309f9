/** Runs suites of tests and counts what happened in them. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { root, run, say } from './project.mjs';

/** @typedef {{ passed: number, failed: number }} Counts */

/** The reporter of every suite: it tells as mocha does, and writes the counts to the file K3_TEST_COUNTS names. */
export const reporter = join(root, 'scripts/lib/reporter.cjs');

/**
 * Runs a suite and reads its counts. A suite that ends badly, or in which nothing ran, has failed.
 * @param {string} name
 * @param {(countsFile: string) => Promise<number>} body runs it and returns its exit code
 * @returns {Promise<Counts>}
 */
export async function counted(name, body) {
  const folder = await mkdtemp(join(tmpdir(), 'k3-counts-'));
  const file = join(folder, 'counts.json');
  try {
    const code = await body(file);
    const counts = await readCounts(file);
    if (code !== 0 && counts.failed === 0) {
      say(`${name}: ended with code ${code} though no test failed; the lines above may say why.`);
      return { ...counts, failed: 1 };
    }
    if (counts.passed + counts.failed === 0) {
      say(`${name}: no test ran, which counts as a failure.`);
      return { passed: 0, failed: 1 };
    }
    return counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs mocha under Node 24. File arguments replace the suite's own files.
 * @param {string} name
 * @param {{ files: string, args: string[], timeout: number }} options
 */
export function mocha(name, { files, args, timeout }) {
  const named = args.some(isFile);
  return counted(name, async (countsFile) => {
    const { code } = await runMocha(countsFile, timeout, [...args, ...(named ? [] : [files])]);
    return code;
  });
}

/**
 * Runs each file in a mocha of its own, some at once, so that what a file opens is closed before the next begins. What
 * a file prints is told when it has ended. A file in which `--grep` finds nothing is passed over.
 * @param {string} name
 * @param {{ files: string, args: string[], timeout: number, atOnce: number }} options files: a folder
 * @returns {Promise<Counts>}
 */
export async function mochaByFile(name, { files, args, timeout, atOnce }) {
  const named = args.filter(isFile);
  const others = args.filter((arg) => !isFile(arg));
  const found = named.length > 0 ? named : await testsIn(files);
  const waiting = [...found];
  /** @type {Counts[]} */
  const results = [];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      results.push(await runTwice(file, timeout, others, found.length > 1 && others.length > 0));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const all = sum(...results);
  if (all.passed + all.failed > 0) return all;
  say(`${name}: no test ran, which counts as a failure.`);
  return { passed: 0, failed: 1 };
}

/**
 * A file that fails is run once more, alone in its process as before: on a machine that is busy with something else a
 * workbench can be late. What failed the first time stays in the output, and is said.
 * @type {typeof runFile}
 */
async function runTwice(...how) {
  const first = await runFile(...how);
  if (first.failed === 0) return first;
  const second = await runFile(...how);
  if (second.failed === 0) say(`${how[0]}: ${first.failed} failed the first time, none the second.`);
  return second;
}

/**
 * @param {string} file
 * @param {number} timeout
 * @param {string[]} args
 * @param {boolean} mayBeEmpty whether other files may have what is looked for
 */
async function runFile(file, timeout, args, mayBeEmpty) {
  const folder = await mkdtemp(join(tmpdir(), 'k3-counts-'));
  const countsFile = join(folder, 'counts.json');
  const began = Date.now();
  try {
    const { code, output } = await runMocha(countsFile, timeout, [...args, file], true);
    const counts = await readCounts(countsFile);
    const ran = counts.passed + counts.failed;
    if (ran === 0 && code === 0 && mayBeEmpty) return counts;
    say(`\n${file} (${Math.round((Date.now() - began) / 1000)} s)\n${output.trimEnd()}`);
    if (ran === 0 || (code !== 0 && counts.failed === 0)) {
      say(`${file}: ended with code ${code}, ${counts.passed} passed; the lines above may say why.`);
      return { ...counts, failed: 1 };
    }
    return counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const isFile = (/** @type {string} */ arg) => /\.test\.ts$/.test(arg);

/** Those that were slow the last time would better begin first; by size is near enough. */
async function testsIn(/** @type {string} */ folder) {
  const names = (await readdir(join(root, folder))).filter(isFile);
  const sized = await Promise.all(
    names.map(async (name) => ({
      path: `${folder}/${name}`,
      size: (await stat(join(root, folder, name))).size,
    })),
  );
  return sized.sort((a, b) => b.size - a.size).map(({ path }) => path);
}

/** @returns {Promise<Counts>} */
async function readCounts(/** @type {string} */ file) {
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : { passed: 0, failed: 0 };
}

/** @param {string} countsFile @param {number} timeout in ms, per test @param {string[]} args */
async function runMocha(countsFile, timeout, args, quiet = false) {
  return run(
    await ensureNode24(),
    [
      '--disable-warning=ExperimentalWarning',
      join(root, 'node_modules/mocha/bin/mocha.js'),
      ...['--no-config', '--ui', 'bdd', '--timeout', String(timeout), '--reporter', reporter],
      ...args,
    ],
    { env: { ...process.env, K3_TEST_COUNTS: countsFile, K3_TEST_MUST_END: '1' }, quiet },
  );
}

/** @param {Counts[]} all @returns {Counts} */
export function sum(...all) {
  return all.reduce(
    (total, one) => ({ passed: total.passed + one.passed, failed: total.failed + one.failed }),
    { passed: 0, failed: 0 },
  );
}

/** Says the counts and sets the exit code by them. */
export function conclude(/** @type {Counts} */ { passed, failed }) {
  process.exitCode = failed > 0 ? 1 : 0;
  say(`${passed} passed, ${failed} failed`);
}
