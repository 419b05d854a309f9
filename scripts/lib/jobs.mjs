/** Runs the jobs of the test suites in parallel, and prints how long they took. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure, root, say } from './project.mjs';
import { sum } from './suites.mjs';

/**
 * @typedef {import('./suites.mjs').Outcome} Outcome
 * @typedef {{ suite: string, name: string, seconds: number, run: () => Promise<Outcome> }} Job
 * seconds: an estimate of its duration, until it has been measured
 */

/** The duration of each job when it last ran completely. */
const timesFile = join(root, 'dist/test/times.json');
const slowestShown = 10;
/** The maximum number of lines that are printed for a failure. */
const mostLines = 20;

/**
 * Runs all jobs, the longest first, so that the last one does not take long. The output of a job is printed when it
 * ends. The number of parallel jobs is the number of processors plus one, because each job waits part of the time, but at
 * most four; K3_JOBS sets another number.
 * @param {Job[]} jobs
 * @param {{ remember?: boolean }} [options] remember: save the durations, because these are complete jobs
 */
export async function runJobs(jobs, { remember = true } = {}) {
  const atOnce = Number(process.env['K3_JOBS']) || Math.min(4, availableParallelism() + 1);
  const times = await readTimes();
  const waiting = longestFirst(jobs, times);
  /** @type {Array<Outcome & { suite: string, seconds: number }>} */
  const done = [];
  const work = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const began = performance.now();
      const outcome = await job.run().catch(failed(job.name));
      const seconds = (performance.now() - began) / 1000;
      times[job.name] = Math.round(seconds);
      done.push({ ...outcome, suite: job.suite, seconds });
      if (outcome.output !== '') say(`\n${job.name} (${Math.round(seconds)} s)\n${outcome.output.trimEnd()}`);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  if (remember) await writeTimes(times);
  if (jobs.length > 1) {
    printTimes(done, (performance.now() - began) / 1000);
    printFailures(done);
  }
  const all = sum(...done);
  if (
    jobs.length === 0 ||
    done.every(({ passed, failed, output }) => passed + failed === 0 && output === '')
  ) {
    say('No test ran, which counts as a failure.');
    return { passed: 0, failed: 1 };
  }
  return all;
}

/**
 * Sorts jobs by their last duration, or by their estimate if that is longer: a check whose results were all cached was short, but
 * is long when something is new.
 * @template {{ name: string, seconds: number }} T
 * @param {readonly T[]} jobs
 * @param {Record<string, number>} times seconds by the names of jobs
 * @returns {T[]}
 */
export function longestFirst(jobs, times) {
  const expected = (/** @type {T} */ { name, seconds }) => Math.max(times[name] ?? 0, seconds);
  return [...jobs].sort((one, other) => expected(other) - expected(one));
}

/** Counts a job that could not be run as one failure, so that the others still run. */
function failed(/** @type {string} */ name) {
  return (/** @type {unknown} */ error) => {
    const why = error instanceof Failure ? error.message : error instanceof Error ? error.stack : error;
    const failures = [{ title: name, why: String(why) }];
    return { passed: 0, failed: 1, tests: [], failures, output: `${why}\n${name}: could not be run.\n` };
  };
}

/** @param {Array<Outcome & { suite: string, seconds: number }>} done @param {number} wall */
function printTimes(done, wall) {
  const suites = [...new Set(done.map(({ suite }) => suite))];
  say(`\nTimes: ${Math.round(wall)} s in all. The jobs of each suite, added up:`);
  for (const suite of suites) {
    const jobs = done.filter((one) => one.suite === suite);
    say(`  ${suite}: ${Math.round(jobs.reduce((total, { seconds }) => total + seconds, 0))} s`);
  }
  const slowest = done.flatMap(({ tests }) => tests).sort((one, other) => other.ms - one.ms);
  if (slowest.length === 0) return;
  say('The slowest tests:');
  for (const { title, ms } of slowest.slice(0, slowestShown)) say(`  ${(ms / 1000).toFixed(1)} s  ${title}`);
}

/** Prints the failures again, because those of the first jobs are far above. */
function printFailures(/** @type {Outcome[]} */ done) {
  const failures = done.flatMap((job) => job.failures);
  if (failures.length > 0) say('Failed:');
  for (const { title, why } of failures) {
    const lines = why.split('\n').slice(0, mostLines);
    say(`  ${title}\n${lines.map((line) => `    ${line}`).join('\n')}`);
  }
}

/** @returns {Promise<Record<string, number>>} seconds by the names of jobs */
async function readTimes() {
  try {
    return JSON.parse(await readFile(timesFile, 'utf8'));
  } catch {
    return {};
  }
}

async function writeTimes(/** @type {Record<string, number>} */ times) {
  await mkdir(dirname(timesFile), { recursive: true });
  await writeFile(timesFile, `${JSON.stringify(times, null, 2)}\n`);
}
