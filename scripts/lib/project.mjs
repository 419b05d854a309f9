/** Where the project's things are, and how its scripts run other programs and speak. */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** The folder for what is fetched once and used by every checkout. */
export const cache =
  process.env['K3_CACHE'] || join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'k3-chat');

/** A failure a person can act on: what could not be had, and what to do. Shown without a stack. */
export class Failure extends Error {}

/** @param {string} line */
export function say(line) {
  console.log(line);
}

/**
 * Runs a module's main function when the module is the script that was started. A failure is told in a sentence, and
 * the process ends with 1.
 * @param {string} url the module's import.meta.url
 * @param {() => unknown} body
 */
export async function main(url, body) {
  if (!process.argv[1] || url !== pathToFileURL(realpathSync(process.argv[1])).href) return;
  try {
    await body();
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    process.exit(1);
  }
}

/**
 * Runs a program. The output is passed on, or with `quiet` kept and returned.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { cwd = root, env = process.env, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      shell: process.platform === 'win32' && command === 'npm',
    });
    let output = '';
    child.stdout?.on('data', (data) => {
      output += data;
    });
    child.stderr?.on('data', (data) => {
      output += data;
    });
    child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}` }));
    child.on('close', (code, signal) => resolve({ code: code ?? (signal ? 130 : 1), output }));
  });
}

/** The last lines of a program's output, for the message of a failure. */
export function tail(/** @type {string} */ output, lines = 15) {
  return output.trimEnd().split('\n').slice(-lines).join('\n');
}

/** Runs npm quietly; when it fails, says what could not be had. */
export async function npm(
  /** @type {string[]} */ args,
  /** @type {string} */ cwd,
  /** @type {string} */ what,
) {
  const { code, output } = await run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    quiet: true,
  });
  if (code !== 0) {
    throw new Failure(
      `${tail(output)}\n\nCould not get ${what} with npm. Check that this machine reaches its npm registry ` +
        '(npm ping; npm config get registry), then run the command again.',
    );
  }
}
