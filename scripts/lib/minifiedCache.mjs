/**
 * What Terser has made of built programs, kept by what it was made of: for a program of a MiB it takes 9 s of processor time, and a run
 * of all tests builds the same programs several times.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A build has 29 programs, which are 8 MiB with their source maps, most of it in the main file. These are of all checkouts. */
const MOST = 900;

/**
 * @typedef {{ code: string, map?: string }} Program a program and, if it has one, its source map
 */

/**
 * Returns what `make` makes of a program, from the last time if there was one.
 *
 * @param {string} folder where it is kept; removing it is harmless, and when it can't be written, nothing is kept
 * @param {readonly unknown[]} from all that the result depends on: the program, options, versions
 * @param {() => Promise<Program>} make
 * @param {number} most how many programs are kept
 * @returns {Promise<Program>}
 */
export async function kept(folder, from, make, most = MOST) {
  const name = createHash('sha256').update(JSON.stringify(from)).digest('hex');
  const file = join(folder, `${name}.json`);
  const known = await read(file);
  if (known !== undefined) return known;
  const made = await make();
  await write(file, made, most).catch(() => undefined);
  return made;
}

/** @returns {Promise<Program | undefined>} undefined also for a file that another program has damaged */
async function read(/** @type {string} */ file) {
  try {
    const { code, map } = JSON.parse(await readFile(file, 'utf8'));
    if (typeof code !== 'string' || code === '') return undefined;
    // What is used stays.
    const now = new Date();
    await utimes(file, now, now);
    return typeof map === 'string' ? { code, map } : { code };
  } catch {
    return undefined;
  }
}

/** Another build can write the same file, and read it at any time, so it appears complete. */
async function write(/** @type {string} */ file, /** @type {Program} */ made, /** @type {number} */ most) {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  const unfinished = join(folder, `${randomUUID()}.new`);
  await writeFile(unfinished, JSON.stringify(made));
  await rename(unfinished, file);
  await removeOld(folder, most);
}

async function removeOld(/** @type {string} */ folder, /** @type {number} */ most) {
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const dated = await Promise.all(
    files.map(async (file) => ({ file, used: (await stat(file).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  const old = dated.sort((a, b) => b.used - a.used).slice(most);
  await Promise.all(old.map(({ file }) => rm(file, { force: true })));
}
