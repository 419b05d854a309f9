/**
 * Runs all property tests for a long time, one file after the other: `npm run fuzz`, or `npm run fuzz -- windowsModel`
 * for the files whose path has that word. MINUTES= is the total time (10), RUNS= the number of runs of each test; SEED= repeats a run.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode24 } from './lib/node24.mjs';
import { Failure, main, root, say } from './lib/project.mjs';
import { mocha, testsIn } from './lib/suites.mjs';

const preload = join(root, 'test/support/fuzz/preload.ts');

await main(import.meta.url, async () => {
  await underNode24();
  await ensureDependencies();
  const words = process.argv.slice(2);
  const files = await propertyTests(words);
  if (files.length === 0) throw new Failure(`No property test has ${words.join(' or ')} in its path.`);
  const count = files.reduce((sum, { properties }) => sum + properties, 0);
  const seconds = (Number(process.env['MINUTES'] ?? 10) * 60) / count;
  process.env['K3_FUZZ_SECONDS'] = String(seconds);
  const limit = process.env['RUNS'] ? `${process.env['RUNS']} runs` : `${seconds.toFixed(0)} s`;
  say(`${count} properties in ${files.length} files, ${limit} each\n`);
  say('    runs  seconds  violations         seed  property');
  let failed = false;
  for (const { path } of files) failed = (await fuzz(path)) || failed;
  process.exitCode = failed ? 1 : 0;
  say(failed ? '\nViolations were found.' : '\n0 violations');
});

async function propertyTests(/** @type {string[]} */ words) {
  const found = [];
  for (const path of await testsIn('test/unit')) {
    if (words.length > 0 && !words.some((word) => path.includes(word))) continue;
    const properties = [...(await readFile(join(root, path), 'utf8')).matchAll(/\bfc\s*\.assert\(/g)].length;
    if (properties > 0) found.push({ path, properties });
  }
  return found;
}

/** Runs the properties of one file and prints a line for each. Returns whether one failed. */
async function fuzz(/** @type {string} */ path) {
  const folder = await mkdtemp(join(tmpdir(), 'k3-fuzz-'));
  const results = join(folder, 'results');
  process.env['K3_FUZZ_RESULTS'] = results;
  try {
    // Mocha's own time limit is off, because the runs are limited by MINUTES or RUNS.
    const outcome = await mocha(path, { args: ['--require', preload, path], timeout: 0 });
    const lines = (await readFile(results, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
    for (const line of lines) print(path, JSON.parse(line));
    if (outcome.failed > 0) say(outcome.output);
    return outcome.failed > 0 || lines.length === 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @typedef {{ title: string, runs: number, seconds: number, failed: boolean, seed: number, path?: string, counterexample?: string }} Result */

function print(/** @type {string} */ path, /** @type {Result} */ one) {
  const columns = [
    String(one.runs).padStart(8),
    one.seconds.toFixed(1).padStart(7),
    String(one.failed ? 1 : 0).padStart(10),
    String(one.seed).padStart(11),
  ];
  say(`${columns.join('  ')}  ${one.title}`);
  if (one.failed) say(`SEED=${one.seed} npm run fuzz -- ${path}\n${one.counterexample}`);
}
