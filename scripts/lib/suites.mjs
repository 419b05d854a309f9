/** Runs suites of tests and counts what happened in them. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
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
    const counts = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : { passed: 0, failed: 0 };
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
  return counted(name, async (countsFile) => {
    const named = args.some((arg) => /\.test\.ts$/.test(arg));
    const { code } = await run(
      await ensureNode24(),
      [
        '--disable-warning=ExperimentalWarning',
        join(root, 'node_modules/mocha/bin/mocha.js'),
        ...['--no-config', '--ui', 'bdd', '--timeout', String(timeout), '--reporter', reporter],
        ...args,
        ...(named ? [] : [files]),
      ],
      { env: { ...process.env, K3_TEST_COUNTS: countsFile, K3_TEST_MUST_END: '1' } },
    );
    return code;
  });
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
