/** Sets up what is missing, builds, and runs everything. The last line says what passed and what failed. */
import { check } from './check.mjs';
import { build } from './lib/build.mjs';
import { underNode24 } from './lib/node24.mjs';
import { Failure, main, say } from './lib/project.mjs';
import { conclude, sum } from './lib/suites.mjs';
import { setup } from './setup.mjs';
import { testEditor } from './testEditor.mjs';
import { testUi } from './testUi.mjs';

const suites = [
  { name: 'Checks and unit tests', run: check },
  { name: 'Editor tests', run: testEditor },
  { name: 'Interface tests', run: testUi },
];

await main(import.meta.url, async () => {
  await setup();
  await underNode24();
  await build();
  const results = [];
  for (const { name, run } of suites) {
    say(`\n${name}`);
    results.push(await run().catch(failed(name)));
  }
  conclude(sum(...results));
});

/** A suite that could not be run at all is one failure, and the others still run. */
function failed(/** @type {string} */ name) {
  return (/** @type {unknown} */ error) => {
    console.error(error instanceof Failure ? error.message : error);
    say(`${name}: could not be run.`);
    return { passed: 0, failed: 1 };
  };
}
