/**
 * Runs the tests that use a real workbench as a user does. Arguments are passed to mocha: files, or --grep and a name.
 */
import { build } from './lib/build.mjs';
import { runJobs } from './lib/jobs.mjs';
import { main } from './lib/project.mjs';
import { conclude, mocha, parseArguments, testsIn } from './lib/suites.mjs';
import { setup } from './setup.mjs';

/** Creates a job per file. A file closes what it opened before the next one starts. */
export async function uiJobs(/** @type {string[]} */ args = []) {
  const { files, others } = parseArguments(args);
  const found = files.length > 0 ? files : await testsIn('test/ui');
  return found.map((name) => ({
    suite: 'Interface tests',
    name,
    seconds: 40,
    run: () =>
      mocha(name, {
        args: [...others, name],
        timeout: 180_000,
        mayBeEmpty: found.length > 1 && others.length > 0,
      }),
  }));
}

await main(import.meta.url, async () => {
  await setup();
  await build();
  const args = process.argv.slice(2);
  conclude(await runJobs(await uiJobs(args), { remember: args.length === 0 }));
});
