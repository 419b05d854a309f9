/** The folders with the settings and conversations of editors that are started from a checkout. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file without a number is of a process that is just writing it, or was killed while it did. In milliseconds. */
const WRITING_MS = 10_000;

/**
 * Claims a profile for this process: `name`, or `name-2`, `name-3`, … while others use the ones before. Editors that
 * share a profile would change each other's settings. A file beside the folder has the process number of its user.
 * @param {string} parent the folder of all profiles
 * @param {string} name
 * @returns {{ folder: string, release: () => void }}
 */
export function claimProfile(parent, name) {
  mkdirSync(parent, { recursive: true });
  for (let count = 1; ; count++) {
    const folder = join(parent, count === 1 ? name : `${name}-${count}`);
    const file = `${folder}.pid`;
    if (!isUsed(file)) rmSync(file, { force: true });
    if (created(file)) return { folder, release: () => rmSync(file, { force: true }) };
  }
}

function created(/** @type {string} */ file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

function isUsed(/** @type {string} */ file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (!(pid > 0)) return Date.now() - statSync(file).mtimeMs < WRITING_MS;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process can't be signalled, but it runs.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
