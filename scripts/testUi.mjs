/** Runs the tests that use a real workbench as a person does. Arguments go to mocha: files, or --grep and a name. */
import { build } from './lib/build.mjs';
import { main } from './lib/project.mjs';
import { conclude, mocha } from './lib/suites.mjs';
import { setup } from './setup.mjs';

export function testUi(/** @type {string[]} */ args = []) {
  return mocha('Interface tests', { files: 'test/ui/**/*.test.ts', args, timeout: 180_000 });
}

await main(import.meta.url, async () => {
  await setup();
  await build();
  conclude(await testUi(process.argv.slice(2)));
});
