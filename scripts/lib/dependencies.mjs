/** The checkout's own dependencies. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oneAtATime } from './claims.mjs';
import { npm, root, say } from './project.mjs';

/**
 * Installs the dependencies in package-lock.json, unless they are there. A second command that is started meanwhile waits:
 * two that remove and write the same files would fail.
 */
export async function ensureDependencies() {
  if (await installedAsLocked()) return;
  await oneAtATime(join(root, 'dist/installing.pid'), async () => {
    if (await installedAsLocked()) return;
    say('Installing the dependencies …');
    await npm(['ci', '--ignore-scripts'], root, "the project's dependencies");
  });
}

async function installedAsLocked() {
  try {
    const locked = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;
    const installed = JSON.parse(
      await readFile(join(root, 'node_modules/.package-lock.json'), 'utf8'),
    ).packages;
    return Object.entries(locked).every(
      ([path, one]) =>
        path === '' ||
        one.optional ||
        one.devOptional ||
        one.peer ||
        installed[path]?.version === one.version,
    );
  } catch {
    return false;
  }
}
