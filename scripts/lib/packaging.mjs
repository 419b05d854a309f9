/** Makes the file that users install, and unpacks it as the editor does. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Failure, run, tail } from './project.mjs';
import { inSimilarOrder } from './similarOrder.mjs';

/**
 * Makes a package of a folder that is built.
 * @param {string} file where to write it
 * @param {string} cwd the folder with package.json
 * @returns {Promise<string[]>} what the packager warns of
 */
export async function packageInto(file, cwd) {
  const { createVSIX } = await import('@vscode/vsce');
  /** @type {string[]} */
  const warnings = [];
  const { log, warn } = console;
  const readmePath = 'dist/README.md';
  await writeFile(join(cwd, readmePath), withoutPictures(await readFile(join(cwd, 'README.md'), 'utf8')));
  // The packager has no other way to say what it finds.
  console.log = () => undefined;
  console.warn = (...words) => warnings.push(words.join(' '));
  try {
    await createVSIX({
      cwd,
      readmePath,
      packagePath: file,
      dependencies: false,
      rewriteRelativeLinks: false,
      allowMissingRepository: true,
    });
  } finally {
    Object.assign(console, { log, warn });
  }
  return warnings;
}

/**
 * Compresses a package again, with a search for shorter matches than zlib's: 4 percent less, for some seconds of work. The
 * files in it stay as they are, except that JSON loses the white space between its values, and package.json the fields that
 * only the work on the extension needs (docs/decisions/2026-11-22-package.md).
 */
export async function compressAgain(/** @type {string} */ file) {
  const { path7za } = (await import('7zip-bin')).default;
  const folder = await mkdtemp(join(tmpdir(), 'k3-package-'));
  const list = `${folder}.txt`;
  const archive = async (/** @type {string[]} */ ...args) => {
    const { code, output } = await run(path7za, args, { cwd: folder, quiet: true });
    if (code !== 0) throw new Failure(`The package could not be compressed again.\n${tail(output)}`);
  };
  try {
    // The installation runs no scripts, so nothing else makes it a program.
    await chmod(path7za, 0o755);
    await archive('x', file);
    await rm(file);
    for (const part of ['extension', 'extension/l10n']) await shortenJson(join(folder, part));
    // Names alone: folders, and times in the form of Windows, would be four thousand bytes that nobody reads.
    const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    await writeFile(list, names.sort().join('\n'));
    await archive('a', '-tzip', '-mx=9', '-mfb=258', '-mtc=off', '-scsUTF-8', '-spd', file, `@${list}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(list, { force: true });
  }
}

async function shortenJson(/** @type {string} */ folder) {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.json')) continue;
    const file = join(folder, name);
    const values = JSON.parse(await readFile(file, 'utf8'));
    if (name === 'package.json') for (const field of DEVELOPMENT) delete values[field];
    await writeFile(file, JSON.stringify(name.startsWith('bundle.') ? inOrder(values) : values));
  }
}

/** The same translations: their order means nothing. */
const inOrder = (/** @type {Record<string, unknown>} */ values) =>
  Object.fromEntries(inSimilarOrder(Object.keys(values).sort()).map((key) => [key, values[key]]));

/** Fields of package.json that npm reads in a checkout, and no editor in what is installed. */
const DEVELOPMENT = ['private', 'scripts', 'devDependencies', 'overrides'];

/** The editor shows pictures of a README only from addresses, and there is no public one. */
const withoutPictures = (/** @type {string} */ readme) =>
  readme.replaceAll(/^!\[[^\]]*\]\([^)]*\)\n\n?/gm, '');

/** Unpacks the extension in a package into a folder, whose former content is removed. */
export async function unpackInto(/** @type {string} */ folder, /** @type {string} */ file) {
  const { unzipSync } = await import('fflate');
  await rm(folder, { recursive: true, force: true });
  for (const [path, bytes] of Object.entries(unzipSync(await readFile(file)))) {
    if (!path.startsWith('extension/') || path.endsWith('/')) continue;
    const target = join(folder, path.slice('extension/'.length));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
}
