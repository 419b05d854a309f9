/**
 * A cache of results that take long, by the hash of their input: programs that Terser has minified, and files that Zopfli has compressed
 * (`packaging.mjs`). Terser takes 9 s of processor time for a program of 1 MiB, and a run of all tests builds the same programs several
 * times.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * The maximum number of programs, for all checkouts. A build has 29 programs, with 8 MiB including their source maps, most of it in the
 * main file.
 */
const MOST = 900;

/**
 * @typedef {{ code: string, map?: string }} Program a program and, if it has one, its source map
 */

/**
 * Returns the result of `make`, from the cache if it is there.
 *
 * @param {string} folder the folder of the cache; removing it is harmless, and if it can't be written, nothing is kept
 * @param {readonly unknown[]} from everything on which the result depends: the program, options, versions
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

/** @returns {Promise<Program | undefined>} undefined if the file is missing or damaged */
async function read(/** @type {string} */ file) {
  try {
    const { code, map } = JSON.parse(await readFile(file, 'utf8'));
    if (typeof code !== 'string' || code === '') return undefined;
    // Marks the file as used, so that it isn't removed as one of the oldest.
    const now = new Date();
    await utimes(file, now, now);
    return typeof map === 'string' ? { code, map } : { code };
  } catch {
    return undefined;
  }
}

/** Writes a file under another name and renames it, because another build can write or read the same file at any time. */
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
