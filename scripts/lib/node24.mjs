/** Node 24, which runs TypeScript files directly and is required by the editor's server. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fetched, installPackage } from './fetched.mjs';
import { Failure } from './project.mjs';

const enough = Number(process.versions.node.split('.')[0]) >= 24;

/** Returns the path of Node 24 or later: the running one, or one in the cache. */
export async function ensureNode24() {
  return enough ? process.execPath : ensureNode('24');
}

/** The Node of the extension host of the oldest supported editor, VS Code 1.103 (`docs/decisions/2026-11-21-editor-floor.md`). */
export const OLDEST_NODE = '22.17.0';

/**
 * Returns the path of Node with this major version, as a version of the editor's server requires, or of exactly this version:
 * the running one, or one in the cache.
 */
export async function ensureNode(/** @type {string} */ version) {
  if (`${process.versions.node}.`.startsWith(`${version}.`)) return process.execPath;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = await fetched(`node-${version}`, `Getting Node ${version} …`, async (part) => {
    await installPackage(part, `${name}@${version}`).catch((error) => {
      // Node of an exact version is used only from the cache.
      const isMajor = !version.includes('.');
      throw isMajor
        ? new Failure(`${error.message}\nOr install Node ${version} on this machine yourself.`)
        : error;
    });
  });
  return join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * Makes sure that the script runs under Node 24: returns when it does, otherwise runs the same script in a Node 24
 * process and exits with its code.
 */
export async function underNode24() {
  if (enough) return;
  const child = spawn(await ensureNode24(), process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('exit', (exit, signal) => resolve(exit ?? (signal ? 130 : 1)));
  });
  process.exit(code);
}
