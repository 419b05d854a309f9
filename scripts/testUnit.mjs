/** Runs the tests that need no editor. Arguments are passed to mocha: files, or --grep and a name. */
import { removeManyCompiledFiles } from './lib/compiledFiles.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runJobs } from './lib/jobs.mjs';
import { underNode24 } from './lib/node24.mjs';
import { main } from './lib/project.mjs';
import { conclude, mocha, parseArguments, testsIn } from './lib/suites.mjs';

/**
 * The number of processes among which the files are divided. Each loads nearly all modules, which takes three seconds of processor time.
 * With only two processes, one of them ran alone at the end for longer than that.
 */
const parts = 4;

/** Running up to this number of files takes less time than starting a second process. */
const FEW_FILES = 40;

export async function unitJobs(/** @type {string[]} */ args = []) {
  await ensureDependencies();
  await removeManyCompiledFiles();
  const { files, others } = parseArguments(args);
  const found = files.length > 0 ? files : await testsIn('test/unit');
  const count = files.length > 0 && files.length < FEW_FILES ? 1 : parts;
  const dealt = Array.from({ length: count }, (_, part) =>
    found.filter((_, index) => index % count === part).sort(),
  ).filter((part) => part.length > 0);
  return dealt.map((part, index) => {
    const name = `Unit tests, part ${index + 1} of ${dealt.length}`;
    return {
      suite: 'Unit tests',
      name,
      seconds: 80,
      run: () =>
        mocha(name, {
          args: [...others, ...part],
          timeout: 120_000,
          mayBeEmpty: dealt.length > 1 && others.length > 0,
        }),
    };
  });
}

await main(import.meta.url, async () => {
  await underNode24();
  const args = process.argv.slice(2);
  conclude(await runJobs(await unitJobs(args), { remember: args.length === 0 }));
});
