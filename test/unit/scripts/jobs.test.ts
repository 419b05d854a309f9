import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it } from 'mocha';
import { longestFirst } from '../../../scripts/lib/jobs.mjs';

/** Runs jobs in a process of their own, and returns what they print. */
function printed(jobs: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'k3-jobs-'));
  try {
    const script = join(folder, 'run.mjs');
    writeFileSync(
      script,
      `import { runJobs } from ${JSON.stringify(resolve('scripts/lib/jobs.mjs'))};
       import { conclude } from ${JSON.stringify(resolve('scripts/lib/suites.mjs'))};
       const job = (name, outcome) => ({ suite: 'Tests', name, seconds: 1, run: async () => outcome() });
       const fine = { passed: 2, failed: 0, tests: [], failures: [], output: 'fine' };
       conclude(await runJobs([${jobs}], { remember: false }));`,
    );
    return spawnSync(process.execPath, [script], { encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The names of three jobs in the order in which they begin, with the seconds of an earlier run. */
function begun(times: Record<string, number>): string[] {
  const jobs = [
    { name: 'style', seconds: 5 },
    { name: 'units', seconds: 30 },
    { name: 'expressions', seconds: 60 },
  ];
  return longestFirst(jobs, times).map(({ name }) => name);
}

describe('The jobs of a whole run', () => {
  it('begin with those that took longest', () => {
    assert.deepEqual(begun({ style: 90, units: 70 }), ['style', 'units', 'expressions']);
  });

  it('begin by their estimate when a cache made one of them short', () => {
    assert.deepEqual(begun({ style: 9, units: 40, expressions: 1 }), ['expressions', 'units', 'style']);
  });

  it('print each failure again at the end, with its error', () => {
    const failures = "[{ title: 'The chat is quiet', why: 'Error: 3 !== 4\\n    at chat.ts:7' }]";
    const text = printed(
      `job('one', () => ({ ...fine, passed: 1, failed: 1, failures: ${failures} })), job('two', () => fine)`,
    );
    const end = text.slice(text.lastIndexOf('Failed:'));
    assert.equal(
      end,
      'Failed:\n  The chat is quiet\n    Error: 3 !== 4\n        at chat.ts:7\n3 passed, 1 failed\n',
    );
  });

  it('print a job that cannot be run as a failure, and run the others', () => {
    const text = printed(`job('one', () => { throw new Error('no editor'); }), job('two', () => fine)`);
    assert.match(text, /Failed:\n {2}one\n {4}Error: no editor\n/);
    assert.match(text, /\n2 passed, 1 failed\n$/);
  });

  it('print no heading when nothing failed', () => {
    assert.doesNotMatch(printed(`job('one', () => fine), job('two', () => fine)`), /Failed:/);
  });
});
