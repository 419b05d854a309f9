import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe('What is packaged', () => {
  it('has every file that the extension loads, and not the emulator’s own program', () => {
    const packaged = read('.vscodeignore');
    const built = [...read('esbuild.mjs').matchAll(/^ {4}(\w+): 'src\//gm)].map(([, name]) => name ?? '');
    assert.ok(built.includes('extension') && built.includes('undiciTransport'));
    for (const name of built) {
      const included = new RegExp(`^!dist/${name}\\.(js|\\*)$`, 'm').test(packaged);
      assert.equal(included, name !== 'emulatorCli', name);
    }
  });

  it('has the WebAssembly of the image library, under the name by which its code looks for it', () => {
    const [, name] = /copyFileSync\([^)]*'dist\/(\w+\.wasm)'\)/.exec(read('esbuild.mjs')) ?? [];
    assert.ok(name !== undefined && read('.vscodeignore').includes(`!dist/${name}\n`));
    assert.ok(read('node_modules/@silvia-odwyer/photon-node/photon_rs.js').includes(`__dirname, '${name}'`));
  });
});
