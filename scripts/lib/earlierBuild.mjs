/** Removes the files of an earlier build, and says whether they can still be used. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const BUILT = /^chunks$|\.(?:br|c?js|css|map|wasm|ttf|woff2)$/;

/**
 * Removes built files from the output folder, because old files with other names would get into the package. Only the folder
 * `dist` of the project is sure to have no other files, so nothing is removed from other folders.
 *
 * @param {string} outdir
 * @param {string} project the folder of the project
 */
export function removeEarlierBuild(outdir, project) {
  if (resolve(outdir) !== join(project, 'dist')) return;
  for (const name of readdirSync(outdir))
    if (BUILT.test(name)) rmSync(join(outdir, name), { recursive: true });
}

/**
 * Whether a built file is as new as the sources.
 *
 * @param {string} file
 * @param {string} sources their folder
 */
export function isUpToDate(file, sources) {
  const built = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .every(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs <= built);
}
