/** Runs the tests that need no editor. Arguments go to mocha: files, or --grep and a name. */
import { ensureDependencies } from './lib/dependencies.mjs';
import { main } from './lib/project.mjs';
import { conclude, mocha } from './lib/suites.mjs';

export async function testUnit(/** @type {string[]} */ args = []) {
  await ensureDependencies();
  return mocha('Unit tests', { files: 'test/unit/**/*.test.ts', args, timeout: 10_000 });
}

await main(import.meta.url, async () => conclude(await testUnit(process.argv.slice(2))));
