/** The folders with the settings and conversations of editors that are started from a checkout. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { claim } from './claims.mjs';

/**
 * Claims a profile for this process: `name`, or `name-2`, `name-3`, … if other processes use the earlier ones. Editors that
 * share a profile would change each other's settings. A file beside the folder has the number of the process that uses it.
 * @param {string} parent the folder of all profiles
 * @param {string} name
 * @returns {{ folder: string, release: () => void }}
 */
export function claimProfile(parent, name) {
  mkdirSync(parent, { recursive: true });
  for (let count = 1; ; count++) {
    const folder = join(parent, count === 1 ? name : `${name}-${count}`);
    const release = claim(`${folder}.pid`);
    if (release !== undefined) return { folder, release };
  }
}
