/**
 * Where Node keeps what it has compiled of the modules that tests and the processes they start import, TypeScript without its types
 * included: half of what loading them costs, for each process.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './project.mjs';

const folder = join(root, 'node_modules/.cache/k3-chat/compiled');

/** All tests have some 5,000 modules. Those in temporary folders are new ones in each run. */
const MOST = 20_000;

/** Node sees by itself that a module has changed. Removing the folder is harmless. */
export const compiledFiles = { NODE_COMPILE_CACHE: folder };

/** Begins anew when modules have come together that are there no more. */
export async function removeManyCompiledFiles() {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  if (names.length > MOST) await rm(folder, { recursive: true, force: true });
}
