/** Lock files: each has the number of the process that uses something. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A file without a number belongs to a process that is writing it, or was killed while writing it. After this time, in milliseconds,
 * the process counts as killed.
 */
const WRITING_MS = 10_000;
const LOOK_AGAIN_MS = 200;

/**
 * Creates a file with the number of this process, unless a running process has it.
 * @param {string} file its folder must exist
 * @returns {(() => void) | undefined} removes the file; undefined if another process has it
 */
export function claim(file) {
  if (!created(file) && !(isLeft(file) && removedLeft(file) && created(file))) return undefined;
  return () => rmSync(file, { force: true });
}

/**
 * Runs `body` while no other process runs with the same file. Waits until then.
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

/** Whether the process of the file no longer runs. */
function isLeft(/** @type {string} */ file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (!(pid > 0)) return Date.now() - statSync(file).mtimeMs >= WRITING_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Another user's process can't be signaled, but it runs. A missing file was just removed by its process.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/**
 * Removes the file of a process that no longer runs. Two processes that both notice such a file must not both remove it, because the
 * second one would remove the file that the first one has created meanwhile. So a process claims the removal, and checks again.
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
