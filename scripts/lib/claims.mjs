/** Files that say which process uses something: each has the number of its process. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A file without a number is of a process that is just writing it, or was killed while it did. In milliseconds. */
const WRITING_MS = 10_000;
const LOOK_AGAIN_MS = 200;

/**
 * Creates a file with the number of this process, unless a process that runs has it.
 * @param {string} file its folder must exist
 * @returns {(() => void) | undefined} removes the file; undefined if another process has it
 */
export function claim(file) {
  if (!created(file) && !(isLeft(file) && removedLeft(file) && created(file))) return undefined;
  return () => rmSync(file, { force: true });
}

/**
 * Runs `body` while no other process runs one with the same file. Waits as long as another one does.
 * @template T
 * @param {string} file @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function oneAtATime(file, body) {
  mkdirSync(dirname(file), { recursive: true });
  for (;;) {
    const release = claim(file);
    if (release === undefined) await sleep(LOOK_AGAIN_MS);
    else
      try {
        return await body();
      } finally {
        release();
      }
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

/** Whether the process that has the file is not there anymore. */
function isLeft(/** @type {string} */ file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (!(pid > 0)) return Date.now() - statSync(file).mtimeMs >= WRITING_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Another user's process can't be signalled, but it runs. A file that is missing has just been removed by its process.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/**
 * Removes a file that was left. Two processes that both see it as left must not both remove it, because the second one
 * would remove the file that the first one has created since: so a process claims the removal, and looks again.
 */
function removedLeft(/** @type {string} */ file) {
  const release = claim(`${file}.left`);
  if (release === undefined) return false;
  try {
    if (isLeft(file)) rmSync(file, { force: true });
    return true;
  } finally {
    release();
  }
}
