/**
 * Builds dist/: the extension host's files, the webview's, and the emulator's command line. `--watch` keeps building;
 * `--outdir=DIR` builds somewhere else. An entry point that does not exist fails the build.
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

/** What runs in Node: of the oldest VS Code that `engines.vscode` admits (1.103: 22.17). */
const node = {
  ...shared,
  platform: 'node',
  target: 'node22.17',
  // Its main file requires others in a way that cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  sourcemap: 'linked',
  sourcesContent: false,
};

/**
 * ES modules, which VS Code loads since 1.100: code that is imported dynamically becomes a chunk that is loaded when it
 * is first needed, and code that several use is there once.
 */
const host = {
  ...node,
  entryPoints: { extension: 'src/extension.ts' },
  outdir,
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
  // Packages in the older format call `require` for the modules of Node.
  banner: {
    js: "import{createRequire as k3Require}from'node:module';const require=k3Require(import.meta.url);",
  },
};

/** Programs of their own: the image library looks for its WebAssembly beside the CommonJS file that it is in. */
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

// The names of chunks change with what is in them.
rmSync(join(outdir, 'chunks'), { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
copyFileSync('node_modules/@silvia-odwyer/photon-node/photon_rs_bg.wasm', join(outdir, 'photon_rs_bg.wasm'));

if (values.watch) {
  for (const part of parts) await (await context(part)).watch();
  console.log('Watching src for changes.');
} else {
  await Promise.all(parts.map((part) => build(part)));
}
