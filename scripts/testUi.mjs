/**
 * Runs the tests that use a real workbench as a user does. Arguments are passed to mocha: files, or --grep and a name.
 */
import { build } from './lib/build.mjs';
import { runJobs } from './lib/jobs.mjs';
import { main } from './lib/project.mjs';
import { conclude, mocha, parseArguments, testsIn } from './lib/suites.mjs';
import { setup } from './setup.mjs';

/** The tests of pages alone, which share a browser. */
const pages = 'test/ui/pages';

/** Creates a job per file, and one for all files with pages alone. A job closes what it opened. */
export async function uiJobs(/** @type {string[]} */ args = []) {
  const { files, others } = parseArguments(args);
  const found = files.length > 0 ? files : await testsIn('test/ui');
  const together = found.length === 1 ? [] : found.filter((file) => file.startsWith(pages));
  const alone = found.filter((file) => !together.includes(file)).map((file) => ({ name: file, of: [file] }));
  const groups = together.length === 0 ? alone : [{ name: pages, of: together }, ...alone];
  return groups.map(({ name, of }) => ({
    suite: 'Interface tests',
    name,
    // A file outside of `pages` imports all tests of a folder, which share a window.
    seconds: name.startsWith(pages) ? 150 : 250,
    run: () =>
      mocha(name, {
        args: [...others, ...of],
        timeout: 300_000,
        mayBeEmpty: groups.length > 1 && others.length > 0,
      }),
  }));
}

await main(import.meta.url, async () => {
  await setup();
  const args = process.argv.slice(2);
  // A run of all tests uses the programs that users install. A run with arguments uses a faster build.
  await build(args.length === 0 ? { smaller: true } : {});
  conclude(await runJobs(await uiJobs(args), { remember: args.length === 0 }));
});
