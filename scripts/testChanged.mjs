/**
 * Runs the checks, and the tests that a change can affect: the uncommitted changes, or if there are none, the last commit. `--since REF`
 * takes all changes since a commit. `npm test` runs everything.
 */
import { parseArgs } from 'node:util';
import { checkJobs } from './check.mjs';
import { affectedTests, readGraph } from './lib/affectedTests.mjs';
import { build } from './lib/build.mjs';
import { runJobs } from './lib/jobs.mjs';
import { underNode24 } from './lib/node24.mjs';
import { Failure, main, run, say } from './lib/project.mjs';
import { conclude } from './lib/suites.mjs';
import { setup } from './setup.mjs';
import { editorJobs } from './testEditor.mjs';
import { uiJobs } from './testUi.mjs';
import { unitJobs } from './testUnit.mjs';

/** The paths that a git command prints. */
async function paths(/** @type {string[]} */ ...args) {
  const { code, output } = await run('git', args, { quiet: true });
  if (code !== 0) throw new Failure(`git ${args.join(' ')} failed. ${output.trim()}`);
  return output.split('\0').filter((path) => path !== '');
}

/** The files that have changed since a commit, also untracked files. */
async function changedSince(/** @type {string} */ commit) {
  const tracked = await paths('diff', '--name-only', '--no-renames', '-z', commit, '--');
  return [...tracked, ...(await paths('ls-files', '--others', '--exclude-standard', '-z'))];
}

/** @param {string | undefined} since */
async function changedFiles(since) {
  const files = await changedSince(since ?? 'HEAD');
  if (files.length > 0 || since !== undefined) return { files, since: since ?? 'HEAD' };
  return { files: await changedSince('HEAD~1'), since: 'HEAD~1' };
}

await main(import.meta.url, async () => {
  const { values } = parseArgs({ options: { since: { type: 'string' } } });
  await setup();
  await underNode24();
  const { files, since } = await changedFiles(values.since);
  if (files.length === 0) throw new Failure(`Nothing has changed since ${since}.`);
  const { unit, editor, pages, workbench } = affectedTests(files, await readGraph());
  say(
    `Changed since ${since}: ${files.length} files. Test files that they can affect: ${unit.length} unit, ` +
      `${editor.length} editor, ${pages.length} of pages.`,
  );
  say(`Not run: ${['hostile workspaces', ...workbench].join(', ')}, and what nothing leads to from there.`);
  // As for a run of selected tests, without the smaller programs of the package, which take seconds more.
  await build();
  conclude(
    await runJobs(
      [
        ...(editor.length > 0 ? editorJobs([], { files: editor }) : []),
        ...(pages.length > 0 ? await uiJobs([...pages]) : []),
        ...(await unitJobs([...unit])),
        ...(await checkJobs()),
      ],
      { remember: false },
    ),
  );
});
