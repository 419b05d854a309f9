/** Runs test suites and counts the results. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledFiles } from './compiledFiles.mjs';
import { ensureNode24 } from './node24.mjs';
import { root, run, say } from './project.mjs';

/** @typedef {{ passed: number, failed: number }} Counts */
/** @typedef {{ title: string, ms: number }} TestTime */
/** @typedef {{ title: string, why: string }} TestFailure why: the error, with its stack */
/** @typedef {Counts & { tests: TestTime[], failures: TestFailure[] }} Results */
/** @typedef {Results & { output: string }} Outcome the results of a job; output: what to print */

/** The reporter of every suite. It prints like mocha, and writes the results to the file K3_TEST_COUNTS. */
export const reporter = join(root, 'scripts/lib/reporter.cjs');

/**
 * Runs tests and reads their results. A run that exits with an error, or without any test, has failed.
 * @param {string} name
 * @param {(countsFile: string) => Promise<{ code: number, output: string }>} body runs the tests
 * @param {{ mayBeEmpty?: boolean }} [options] mayBeEmpty: the requested test may be in another run
 * @returns {Promise<Outcome>}
 */
export async function counted(name, body, { mayBeEmpty = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'k3-counts-'));
  const file = join(folder, 'counts.json');
  try {
    const { code, output } = await body(file);
    /** @type {Results} */
    const counts = existsSync(file)
      ? JSON.parse(await readFile(file, 'utf8'))
      : { passed: 0, failed: 0, tests: [], failures: [] };
    const ran = counts.passed + counts.failed;
    if (ran === 0 && code === 0 && mayBeEmpty) return { ...counts, output: '' };
    const failed = (/** @type {string} */ why) => ({
      ...counts,
      failed: 1,
      failures: [{ title: name, why }],
      output: `${output}${name}: ${why}\n`,
    });
    if (ran === 0) return failed('no test ran, which counts as a failure.');
    if (code !== 0 && counts.failed === 0)
      return failed(`ended with code ${code} though no test failed; its output may say why.`);
    return { ...counts, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs files in one mocha process under Node 24.
 * @param {string} name
 * @param {{ args: string[], timeout: number, mayBeEmpty?: boolean }} options args: files and arguments of mocha;
 * timeout: per test, in milliseconds
 */
export function mocha(name, { args, timeout, mayBeEmpty = false }) {
  return counted(
    name,
    async (countsFile) =>
      run(
        await ensureNode24(),
        [
          '--disable-warning=ExperimentalWarning',
          join(root, 'node_modules/mocha/bin/mocha.js'),
          ...['--no-config', '--ui', 'bdd', '--timeout', String(timeout), '--reporter', reporter],
          ...args,
        ],
        {
          env: { ...compiledFiles, ...process.env, K3_TEST_COUNTS: countsFile, K3_TEST_MUST_END: '1' },
          quiet: true,
        },
      ),
    { mayBeEmpty },
  );
}

const isTestFile = (/** @type {string} */ arg) => /\.test\.ts$/.test(arg);

/** Separates the files from the other arguments of a command. */
export function parseArguments(/** @type {string[]} */ args) {
  return { files: args.filter(isTestFile), others: args.filter((arg) => !isTestFile(arg)) };
}

/** Returns the test files in a folder, the largest first. */
export async function testsIn(/** @type {string} */ folder) {
  const names = (await readdir(join(root, folder), { recursive: true })).filter(isTestFile);
  const sized = await Promise.all(
    names.map(async (name) => ({
      path: `${folder}/${name.replaceAll('\\', '/')}`,
      size: (await stat(join(root, folder, name))).size,
    })),
  );
  return sized.sort((a, b) => b.size - a.size).map(({ path }) => path);
}

/** @param {Counts[]} all @returns {Counts} */
export function sum(...all) {
  return all.reduce(
    (total, one) => ({ passed: total.passed + one.passed, failed: total.failed + one.failed }),
    { passed: 0, failed: 0 },
  );
}

/** Prints the counts and sets the exit code. */
export function conclude(/** @type {Counts} */ { passed, failed }) {
  process.exitCode = failed > 0 ? 1 : 0;
  say(`${passed} passed, ${failed} failed`);
}
