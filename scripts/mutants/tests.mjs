/** Runs test files in a process of their own, with a limit of time. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureNode24 } from '../lib/node24.mjs';
import { root } from '../lib/project.mjs';

/** Milliseconds for one test. */
const TEST_LIMIT = 8000;

/**
 * Runs test files up to the first failure.
 * @param {string[]} tests
 * @param {Record<string, string>} env added to the variables of this process
 * @param {number} seconds for all together
 * @returns {Promise<'passed' | 'failed' | 'too long'>}
 */
export async function runTests(tests, env, seconds) {
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
  const options = ['--no-config', '--ui', 'bdd', '--reporter', 'dot', '--bail', '--exit'];
  const args = [mocha, ...options, '--timeout', String(TEST_LIMIT), ...tests];
  const child = spawn(await ensureNode24(), ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'ignore',
    // A process group of its own, so that the processes that a test started can be ended with it.
    detached: true,
  });
  return new Promise((resolve) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, seconds * 1000);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(late ? 'too long' : code === 0 ? 'passed' : 'failed');
    });
  });
}
