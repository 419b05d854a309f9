/** The checkout's own dependencies. */
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oneAtATime } from './claims.mjs';
import { Failure, npm, root, say } from './project.mjs';

/**
 * Installs the dependencies in package-lock.json, unless they are installed. A second command that is started meanwhile waits,
 * because two installations at once would remove and write the same files.
 */
export async function ensureDependencies() {
  if (await installedAsLocked()) return;
  await oneAtATime(join(root, 'dist/installing.pid'), async () => {
    if (await installedAsLocked()) return;
    await refuseLinked(root);
    say('Installing the dependencies …');
    await npm(['ci', '--ignore-scripts'], root, "the project's dependencies");
  });
}

/**
 * Refuses a node_modules folder that is a link: npm first removes the content of the folder, which can be that of another checkout.
 *
 * @param {string} folder the checkout
 */
export async function refuseLinked(folder) {
  const found = await lstat(join(folder, 'node_modules')).catch(() => undefined);
  if (found?.isSymbolicLink())
    throw new Failure(
      'node_modules is a link to a folder with other dependencies than those of package-lock.json. Remove it, or run npm ci there.',
    );
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
