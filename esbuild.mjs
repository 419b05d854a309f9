/**
 * Builds dist/: the extension, the image worker, the webviews, the emulator's command line, and the licenses of
 * libraries. `--watch` rebuilds on changes, `--outdir=DIR` sets the output folder, `--smaller` minifies everything that users
 * install as much as possible. A missing entry point fails the build.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { build, context } from 'esbuild';
import { removeEarlierBuild } from './scripts/lib/earlierBuild.mjs';
import { iconFont } from './scripts/lib/iconFont.mjs';
import { markdownBlocks } from './scripts/lib/markdownBlocks.mjs';
import { noticesOf } from './scripts/lib/notices.mjs';
import { oneEditorApi } from './scripts/lib/oneEditorApi.mjs';
import { oneMainFile } from './scripts/lib/oneMainFile.mjs';
import { pageFunctions } from './scripts/lib/pageFunctions.mjs';
import { plainFields } from './scripts/lib/plainFields.mjs';
import { smallerCode } from './scripts/lib/smallerCode.mjs';
import { LLHTTP, undiciParts } from './scripts/lib/undiciParts.mjs';
import { withoutDebug } from './scripts/lib/withoutDebug.mjs';

const { values } = parseArgs({
  options: {
    watch: { type: 'boolean', default: false },
    outdir: { type: 'string', default: 'dist' },
    smaller: { type: 'boolean', default: false },
  },
});
const { outdir } = values;

/** Minifies with Terser, which takes seconds for a changed program (scripts/lib/smallerCode.mjs). */
const smallest = values.smaller ? [smallerCode] : [];

/** Options of all programs. They contain no license comments, because the licenses of libraries are in notices.txt. */
const shared = {
  bundle: true,
  minify: true,
  legalComments: /** @type {const} */ ('none'),
  logLevel: 'warning',
};

/** Node programs. The target is the Node version of the oldest supported VS Code (1.103: 22.17). */
const node = {
  ...shared,
  platform: 'node',
  target: 'node22.17',
  // The CommonJS main file of the library uses `require` in a way that can't be bundled, and its ES module also loads the JSON formatter.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/impl/parser.js' },
  sourcemap: 'linked',
  sourcesContent: false,
};

const hostLibraries = [undiciParts(import.meta.dirname), markdownBlocks, withoutDebug];

/**
 * ES modules, which VS Code supports since 1.100. Code that is imported dynamically becomes a chunk that is loaded when
 * it is first needed; shared code is bundled once.
 */
const host = {
  ...node,
  entryPoints: { extension: 'src/extension.ts' },
  outdir,
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
  plugins: [...hostLibraries, oneEditorApi, oneMainFile('src/extension.ts'), ...smallest],
  // CommonJS packages call `require` for Node modules. Each file gets this line. Creating a `require` takes a twentieth of a millisecond or
  // more, so the line is written in a way that lets esbuild remove it where nothing calls it.
  banner: {
    js: "import{createRequire as k3Require}from'node:module';const require=/* @__PURE__ */(()=>k3Require(import.meta.url))();",
  },
};

/** A program of its own for each thread, so that the extension does not load a chunk that the two share. */
const imageWorker = {
  ...host,
  entryPoints: { imageWorker: 'src/editor/images/imageWorker.ts' },
  splitting: false,
  plugins: [...hostLibraries, ...smallest],
};

const emulatorCli = {
  ...node,
  entryPoints: { emulatorCli: 'src/emulator/cli.ts' },
  outdir,
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
};

const webview = {
  ...shared,
  entryPoints: { webview: 'src/webview/chat/main.ts', usage: 'src/webview/usage/usagePage.ts' },
  outdir,
  platform: 'browser',
  target: 'chrome138',
  format: 'iife',
  loader: { '.svg': 'file' },
  assetNames: '[name]',
  plugins: [iconFont(import.meta.dirname), pageFunctions, plainFields, ...smallest],
};

/** Files that the image worker loads. */
const imageCodecs = [
  'node_modules/@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
  'node_modules/@jsquash/webp/codec/dec/webp_dec.wasm',
  'node_modules/@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm',
];

/** Loaded by the chat when it has math to show. */
const math = {
  ...webview,
  entryPoints: { math: 'src/webview/text/math.ts' },
  format: 'esm',
};

const parts = [host, imageWorker, emulatorCli, webview, math];

mkdirSync(outdir, { recursive: true });
removeEarlierBuild(outdir, import.meta.dirname);
mkdirSync(join(outdir, 'chunks'), { recursive: true });
// Brotli makes them a seventh smaller than the compression of the package.
for (const codec of imageCodecs)
  writeFileSync(join(outdir, `${basename(codec)}.br`), brotliCompressSync(readFileSync(codec)));
writeFileSync(
  join(outdir, 'chunks', LLHTTP),
  brotliCompressSync(createRequire(import.meta.url)('undici/lib/llhttp/llhttp-wasm.js')),
);

if (values.watch) {
  for (const part of parts) await (await context(part)).watch();
  console.log('Watching src for changes.');
} else {
  const built = await Promise.all(parts.map((part) => build({ ...part, metafile: true })));
  const files = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(join(outdir, 'notices.txt'), noticesOf(import.meta.dirname, [...files, ...imageCodecs]));
}
