/** Runs the parts of the suites beside one another, each once, and says where the time went. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure, root, say } from './project.mjs';
import { sum } from './suites.mjs';

/**
 * @typedef {import('./suites.mjs').Outcome} Outcome
 * @typedef {{ suite: string, name: string, seconds: number, run: () => Promise<Outcome> }} Job
 * seconds: about how long it takes, until it has been run here once
 */

/** How long each job took the last time it was run whole. */
const timesFile = join(root, 'dist/test/times.json');
const slowestShown = 10;

/**
 * Runs all jobs, the longest first, so that none of them is waited for alone at the end. What a job says is printed
 * when it has ended. As many run at once as there are processors, from two to four; K3_JOBS sets another number.
 * @param {Job[]} jobs
 * @param {{ remember?: boolean }} [options] remember: these are whole jobs, whose times are worth keeping
 */
export async function runJobs(jobs, { remember = true } = {}) {
  const atOnce = Number(process.env['K3_JOBS']) || Math.min(4, Math.max(2, availableParallelism()));
  const times = await readTimes();
  const expected = (/** @type {Job} */ { name, seconds }) => times[name] ?? seconds;
  const waiting = [...jobs].sort((one, other) => expected(other) - expected(one));
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
  if (jobs.length > 1) sayTimes(done, (performance.now() - began) / 1000);
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

/** A job that could not be run at all is one failure, and the others still run. */
function failed(/** @type {string} */ name) {
  return (/** @type {unknown} */ error) => {
    const why = error instanceof Failure ? error.message : error instanceof Error ? error.stack : error;
    return { passed: 0, failed: 1, tests: [], output: `${why}\n${name}: could not be run.\n` };
  };
}

/** @param {Array<Outcome & { suite: string, seconds: number }>} done @param {number} wall */
function sayTimes(done, wall) {
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
