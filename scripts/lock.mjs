/**
 * Adds the optional binaries of other platforms to package-lock.json, because `npm ci` requires them and npm leaves out
 * those that the current registry does not offer. Run it after a dependency was added or updated.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { main, root, say } from './lib/project.mjs';

await main(import.meta.url, async () => {
  const file = join(root, 'package-lock.json');
  const lock = JSON.parse(await readFile(file, 'utf8'));
  const missing = missingBinaries(lock.packages);
  lock.packages = Object.fromEntries(
    Object.entries({ ...lock.packages, ...missing }).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`);
  say(`package-lock.json: ${Object.keys(missing).length} binaries of other platforms added.`);
});

/**
 * @param {Record<string, { dev?: boolean, license?: string, optionalDependencies?: Record<string, string> }>} packages
 * @returns {Record<string, object>} the entries of optional dependencies that are missing in the lock file
 */
function missingBinaries(packages) {
  /** @type {Record<string, object>} */
  const missing = {};
  for (const [path, one] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(one.optionalDependencies ?? {})) {
      if (packages[`node_modules/${name}`] || packages[`${path}/node_modules/${name}`]) continue;
      missing[`node_modules/${name}`] = {
        version,
        ...platformOf(name),
        ...(one.dev && { dev: true }),
        license: one.license,
        optional: true,
      };
    }
  }
  return missing;
}

/**
 * @param {string} name such as `@biomejs/cli-linux-x64-musl`; its last parts are the operating system and the processor
 */
function platformOf(name) {
  const [os, cpu] = name.replace(/^.*\/(cli-|binding-)?/, '').split('-');
  return { cpu: [cpu], os: [os] };
}
