/** Builds dist/: the extension host's files, the webview's, and the emulator's command line. `--watch` keeps building. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { build, context } from 'esbuild';

/**
 * A dynamic import in the host's code is a file of its own, loaded when it is first needed: undici (720 KB) and the
 * emulator stay off the path of starting. CommonJS output cannot be split by esbuild, so each is an entry point.
 */
const lazyFiles = {
  name: 'lazy-files',
  setup(builder) {
    builder.onResolve({ filter: /^\.{1,2}\// }, (args) => {
      if (args.kind !== 'dynamic-import') return undefined;
      const name = args.path.slice(args.path.lastIndexOf('/') + 1).replace(/\.ts$/, '');
      return { path: `./${name}.js`, external: true };
    });
  },
};

const host = {
  entryPoints: {
    extension: 'src/extension.ts',
    undiciTransport: 'src/service/undiciTransport.ts',
    callCheck: 'src/chat/callCheck.ts',
    schemaCheck: 'src/chat/schemaCheck.ts',
    imageWorker: 'src/editor/images/imageWorker.ts',
    server: 'src/emulator/server.ts',
    emulatorCli: 'src/emulator/cli.ts',
  },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  // The Node of the oldest VS Code that `engines.vscode` admits (1.103: 22.17).
  target: 'node22.17',
  format: 'cjs',
  external: ['vscode'],
  // Its main file requires others in a way that cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: [lazyFiles],
  minifySyntax: true,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
};

const webview = {
  entryPoints: { webview: 'src/webview/main.ts', usage: 'src/webview/usage.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'browser',
  target: 'chrome138',
  format: 'iife',
  minify: true,
  loader: { '.ttf': 'file', '.svg': 'file' },
  assetNames: '[name]',
  logLevel: 'warning',
};

// While a room is not there yet, the others still build.
for (const part of [host, webview]) {
  for (const [name, file] of Object.entries(part.entryPoints)) {
    if (!existsSync(file)) delete part.entryPoints[name];
  }
}

// The image library looks for its WebAssembly beside the file that it is bundled into.
mkdirSync('dist', { recursive: true });
copyFileSync('node_modules/@silvia-odwyer/photon-node/photon_rs_bg.wasm', 'dist/photon_rs_bg.wasm');

if (process.argv.includes('--watch')) {
  for (const part of [host, webview]) await (await context(part)).watch();
  console.log('Watching src for changes.');
} else {
  await Promise.all(
    [host, webview].filter((p) => Object.keys(p.entryPoints).length > 0).map((part) => build(part)),
  );
}
