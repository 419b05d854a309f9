/** Paths of the project, and how its scripts run programs and print. */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** The folder for downloads, and for results that a new checkout would have to compute again. All checkouts share it. */
export const cache =
  process.env['K3_CACHE'] || join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'k3-chat');

/** An error that the user can fix: what is missing, and what to do. Shown without a stack. */
export class Failure extends Error {}

/** @param {string} line */
export function say(line) {
  console.log(line);
}

/**
 * Runs the main function of a module when the module is the script that was started. A Failure is printed as a message,
 * and the process exits with 1.
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
 * Runs a program. Its output is printed, or with `quiet` returned.
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
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (data) => {
        output += data;
      });
    child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}` }));
    child.on('close', (code, signal) => resolve({ code: code ?? (signal ? 130 : 1), output }));
  });
}

/** The last lines of a program's output, for an error message. */
export function tail(/** @type {string} */ output, lines = 15) {
  return output.trimEnd().split('\n').slice(-lines).join('\n');
}

/** Runs npm without output. Throws a Failure that names what could not be installed. */
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
