/** Makes the file that users install, and unpacks it as the editor does. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { kept } from './buildCache.mjs';
import { packTexts } from './packedTexts.mjs';
import { cache } from './project.mjs';

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
  await writeFile(join(cwd, readmePath), toPackaged(await readFile(join(cwd, 'README.md'), 'utf8')));
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
 * Compresses a package again, as much as zlib or, for smaller files, Zopfli can. Its files stay the same, except that it has the English texts of the
 * translations only once, that JSON files lose the white space between their values, and that package.json loses the fields that are
 * needed only for development (docs/decisions/2026-11-22-package.md).
 */
export async function compressAgain(/** @type {string} */ file) {
  const { unzipSync } = await import('fflate');
  const { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } = await import('@zip.js/zip.js');
  // The times of files would take a thousand bytes, and nothing reads them.
  const zip = new ZipWriter(new Uint8ArrayWriter(), { extendedTimestamp: false, dataDescriptor: false });
  for (const [path, bytes] of Object.entries(packTexts(unzipSync(await readFile(file))))) {
    if (path.endsWith('/')) continue;
    const content = JSON_FILE.test(path) ? shortenJson(basename(path), bytes) : bytes;
    const deflated = await deflate(content);
    const isShorter = deflated.length < content.length;
    await zip.add(path, new Uint8ArrayReader(isShorter ? deflated : content), {
      passThrough: true,
      compressionMethod: isShorter ? DEFLATED : STORED,
      uncompressedSize: content.length,
      crc32: crc32(content),
    });
  }
  await writeFile(file, await zip.close());
}

/** Methods of a ZIP file. */
const STORED = 0;
const DEFLATED = 8;

/**
 * The maximum size, in bytes, of a file that is compressed with Zopfli, which finds about 3 % more than zlib in a hundred times the time.
 * The programs of the host and of the chat are larger. They change with almost every commit, so the cache would not help.
 */
const MAX_SEARCHED_SIZE = 256 * 1024;
const ZOPFLI = { numiterations: 15, blocksplittingmax: 0 };
/** The maximum number of compressed files in the cache. A package has about 70. */
const MOST_COMPRESSED = 700;

/** @returns {Promise<Uint8Array>} the file, compressed without a header */
async function deflate(/** @type {Uint8Array} */ content) {
  if (content.length === 0 || content.length > MAX_SEARCHED_SIZE)
    return deflateRawSync(content, { level: 9, memLevel: 9 });
  const { version } = createRequire(import.meta.url)('@gfx/zopfli/package.json');
  const from = [version, ZOPFLI, Buffer.from(content).toString('base64')];
  const { code } = await kept(
    join(cache, 'compressed'),
    from,
    async () => {
      const { default: zopfli } = await import('@gfx/zopfli');
      return { code: Buffer.from(await zopfli.deflateAsync(content, ZOPFLI)).toString('base64') };
    },
    MOST_COMPRESSED,
  );
  return Buffer.from(code, 'base64');
}

const JSON_FILE = /^extension\/(?:l10n\/)?[^/]+\.json$/;

function shortenJson(/** @type {string} */ name, /** @type {Uint8Array} */ bytes) {
  const values = JSON.parse(new TextDecoder().decode(bytes));
  if (name === 'package.json') for (const field of DEVELOPMENT) delete values[field];
  return new TextEncoder().encode(JSON.stringify(values));
}

/** Fields of package.json that npm reads in a checkout, but no editor reads in an installed extension. */
const DEVELOPMENT = ['private', 'scripts', 'devDependencies', 'overrides'];

/**
 * The README for the package. It has no pictures, because the editor shows them only from public addresses, and there is none. It has no
 * link to the reference, because the editor lists settings and commands on the Features tab. It has no part about building from source.
 */
const toPackaged = (/** @type {string} */ readme) =>
  readme
    .replaceAll(/^!\[[^\]]*\]\([^)]*\)\n\n?/gm, '')
    .replaceAll(/^- \[[^\]]*\]\(docs\/reference\.md\)\n/gm, '')
    .replace(/\n## Build from source\n.*/s, '');

/** Unpacks the extension in a package into a folder, whose earlier content is removed. */
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
