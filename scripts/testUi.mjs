/**
 * Runs the tests that use a real workbench as a person does. Arguments go to mocha: files, or --grep and a name.
 * K3_WORKBENCHES says how many files run at once.
 */
import { availableParallelism } from 'node:os';
import { build } from './lib/build.mjs';
import { main } from './lib/project.mjs';
import { conclude, mochaByFile } from './lib/suites.mjs';
import { setup } from './setup.mjs';

export function testUi(/** @type {string[]} */ args = []) {
  // A workbench waits more than it works: two share a machine well, three make each other late.
  const atOnce = Number(process.env['K3_WORKBENCHES']) || Math.min(2, availableParallelism());
  return mochaByFile('Interface tests', { files: 'test/ui', args, timeout: 180_000, atOnce });
}

await main(import.meta.url, async () => {
  await setup();
  await build();
  conclude(await testUi(process.argv.slice(2)));
});
