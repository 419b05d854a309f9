/** Bundles of undici only what `src/service/undiciTransport.ts` uses: no fetch, WebSocket, cache, or mocks. */

const parts = `
  const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');
  Dispatcher.prototype.request = require('undici/lib/api/api-request.js');
  // Of a proxy's connection.
  Dispatcher.prototype.connect = require('undici/lib/api/api-connect.js');
  exports.Agent = require('undici/lib/dispatcher/agent.js');
  exports.Pool = require('undici/lib/dispatcher/pool.js');
  exports.ProxyAgent = require('undici/lib/dispatcher/proxy-agent.js');
  exports.buildConnector = require('undici/lib/core/connect.js');
`;

/** The file with the parser of undici, compressed with Brotli. */
export const LLHTTP = 'llhttp.wasm.br';

const llhttpFile = `
  import { readFileSync } from 'node:fs';
  import { brotliDecompressSync } from 'node:zlib';
  export const parser = brotliDecompressSync(readFileSync(new URL('./${LLHTTP}', import.meta.url)));
`;

/** Files of undici that are replaced, by the end of their path. */
const replaced = [
  // Bodies of forms, which need half of fetch. The transport sends only text.
  {
    filter: /undici[\\/]lib[\\/]web[\\/]fetch[\\/]body\.js$/,
    contents: "exports.extractBody = () => { throw new TypeError('A form is not sent.'); };",
  },
  // A second version of the parser, with vector instructions, which helps only with many headers.
  {
    filter: /undici[\\/]lib[\\/]llhttp[\\/]llhttp_simd-wasm\.js$/,
    contents: "module.exports = require('./llhttp-wasm.js');",
  },
  // As text in a module, the file would be a third larger, also in the package. esbuild.mjs puts it beside the chunk.
  {
    filter: /undici[\\/]lib[\\/]llhttp[\\/]llhttp-wasm\.js$/,
    contents: "module.exports = require('llhttp-file').parser;",
  },
];

/** @param {string} root the folder with node_modules @returns {import('esbuild').Plugin} */
export function undiciParts(root) {
  return {
    name: 'undici-parts',
    setup(build) {
      build.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'undici-parts' }));
      build.onLoad({ filter: /.*/, namespace: 'undici-parts' }, () => ({
        contents: parts,
        resolveDir: root,
      }));
      build.onResolve({ filter: /^llhttp-file$/ }, () => ({ path: 'file', namespace: 'llhttp' }));
      build.onLoad({ filter: /.*/, namespace: 'llhttp' }, () => ({ contents: llhttpFile }));
      for (const { filter, contents } of replaced) build.onLoad({ filter }, () => ({ contents }));
    },
  };
}
