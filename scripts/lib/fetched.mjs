/** Downloads that are cached. Each is written to a temporary folder and moved into place when it is complete. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, npm, say } from './project.mjs';

/**
 * The downloads of this process by their folder: jobs that run in parallel can ask for the same one.
 * @type {Map<string, Promise<string>>}
 */
const running = new Map();

/**
 * Returns the folder of a download, which `fill` creates the first time. Calls during the download wait for the same
 * download.
 * @param {string} name the name of the folder in the cache
 * @param {string} line what to print while it is downloaded
 * @param {(folder: string) => Promise<unknown>} fill
 */
export async function fetched(name, line, fill) {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  const same = running.get(folder);
  if (same !== undefined) return same;
  const download = created(folder, line, fill).finally(() => running.delete(folder));
  running.set(folder, download);
  return download;
}

/**
 * @param {string} folder
 * @param {string} line
 * @param {(folder: string) => Promise<unknown>} fill
 */
async function created(folder, line, fill) {
  say(line);
  const part = `${folder}.part-${process.pid}`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  try {
    await fill(part);
    await rename(part, folder).catch((error) => {
      // Another process has created it meanwhile, and it can be used as well.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return folder;
}

/** Installs packages from the registry, without running any package's install script. */
export async function installPackage(/** @type {string} */ folder, /** @type {string[]} */ ...specs) {
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  await npm(['install', '--ignore-scripts', ...specs], folder, specs.join(', '));
}
