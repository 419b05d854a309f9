/**
 * The compile cache of Node for the modules that tests and their processes import, including TypeScript without its types. It saves half
 * of the time that each process needs to load them.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './project.mjs';

const folder = join(root, 'node_modules/.cache/k3-chat/compiled');

/** The maximum number of files. All tests have about 5,000 modules; modules in temporary folders are added in each run. */
const MOST = 20_000;

/** The environment variable that turns the cache on. Node itself notices changed modules. Removing the folder is harmless. */
export const compiledFiles = { NODE_COMPILE_CACHE: folder };

/** Empties the cache when it has too many files, most of them of modules that no longer exist. */
export async function removeManyCompiledFiles() {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  if (names.length > MOST) await rm(folder, { recursive: true, force: true });
}
