/**
 * Builds dist/: the extension, the image worker, the webviews, and the emulator's command line. `--watch` rebuilds on
 * changes, `--outdir=DIR` sets the output folder. A missing entry point fails the build.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, context } from 'esbuild';

const { values } = parseArgs({
  options: { watch: { type: 'boolean', default: false }, outdir: { type: 'string', default: 'dist' } },
});
const { outdir } = values;

const shared = { bundle: true, minify: true, logLevel: 'warning' };

/** Node programs. The target is the Node version of the oldest supported VS Code (1.103: 22.17). */
const node = {
  ...shared,
  platform: 'node',
  target: 'node22.17',
  // Its CommonJS main file uses `require` in a way that can't be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  sourcemap: 'linked',
  sourcesContent: false,
};

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
  // CommonJS packages call `require` for Node modules.
  banner: {
    js: "import{createRequire as k3Require}from'node:module';const require=k3Require(import.meta.url);",
  },
};

/** Separate programs, as CommonJS: the image library loads its WebAssembly file from `__dirname`. */
const programs = {
  ...node,
  entryPoints: { imageWorker: 'src/editor/images/imageWorker.ts', emulatorCli: 'src/emulator/cli.ts' },
  outdir,
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
};

const webview = {
  ...shared,
  entryPoints: { webview: 'src/webview/main.ts', usage: 'src/webview/usagePage.ts' },
  outdir,
  platform: 'browser',
  target: 'chrome138',
  format: 'iife',
  loader: { '.ttf': 'file', '.svg': 'file' },
  assetNames: '[name]',
};

const parts = [host, programs, webview];

// The names of chunks contain hashes, so old ones would remain.
rmSync(join(outdir, 'chunks'), { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
copyFileSync('node_modules/@silvia-odwyer/photon-node/photon_rs_bg.wasm', join(outdir, 'photon_rs_bg.wasm'));

if (values.watch) {
  for (const part of parts) await (await context(part)).watch();
  console.log('Watching src for changes.');
} else {
  await Promise.all(parts.map((part) => build(part)));
}
