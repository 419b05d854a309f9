/**
 * Installs what is missing, builds, and runs everything in parallel: checks, unit tests, editor tests, and interface
 * tests, without their pictures. The last line shows how many passed and failed.
 */
import { checkJobs } from './check.mjs';
import { build } from './lib/build.mjs';
import { runJobs } from './lib/jobs.mjs';
import { underNode24 } from './lib/node24.mjs';
import { main } from './lib/project.mjs';
import { conclude } from './lib/suites.mjs';
import { setup } from './setup.mjs';
import { editorJobs } from './testEditor.mjs';
import { uiJobs } from './testUi.mjs';
import { unitJobs } from './testUnit.mjs';

await main(import.meta.url, async () => {
  await setup();
  await underNode24();
  await build({ smaller: true });
  // The test of the package uses this build, instead of building again.
  process.env['K3_BUILT'] = '1';
  // Skips about 170 pictures of windows, which are useful only after a run of a single file.
  process.env['K3_PICTURES'] ??= 'none';
  conclude(
    await runJobs([...editorJobs(), ...(await uiJobs()), ...(await unitJobs()), ...(await checkJobs())]),
  );
});
