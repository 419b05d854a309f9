/** Checks types, style, layers, unused code, and the time of regular expressions, and runs the unit tests. */
import { ensureDependencies } from './lib/dependencies.mjs';
import { runJobs } from './lib/jobs.mjs';
import { main, run } from './lib/project.mjs';
import { conclude } from './lib/suites.mjs';
import { unitJobs } from './testUnit.mjs';

/** Documentation and other files in the root are not formatted. */
const checked = [
  'src',
  'test',
  'scripts',
  'esbuild.mjs',
  'biome.json',
  'dependencies.config.cjs',
  'package.json',
];

/** Checks only files that have changed since the last check, and files that depend on them. The compiler reports earlier errors again. */
const tsc = (/** @type {string} */ config) => [
  ...['typescript/bin/tsc', '-p', config, '--incremental'],
  ...['--tsBuildInfoFile', `dist/test/${config}.buildinfo`],
];

const steps = [
  { name: 'Types of the host', command: tsc('tsconfig.json') },
  { name: 'Types of the panel', command: tsc('tsconfig.webview.json') },
  { name: 'Style', command: ['@biomejs/biome/bin/biome', 'ci', '--colors=off', ...checked] },
  {
    name: 'Layers and circles',
    command: ['dependency-cruiser/bin/dependency-cruise.mjs', '--config', 'dependencies.config.cjs', 'src'],
  },
  { name: 'Unused code', command: ['knip/bin/knip.js', '--config', 'scripts/knip.json'] },
  // New expressions take up to a minute. With this estimate, the job starts early, so that a whole run doesn't wait for it at the end.
  { name: 'Linear time of expressions', command: ['../scripts/checkExpressions.mjs'], seconds: 60 },
];

/** A job for each check; one that fails counts as one failed test. */
export async function checkJobs() {
  await ensureDependencies();
  return steps.map(({ name, command, seconds = 5 }) => ({
    suite: 'Checks',
    name,
    seconds,
    async run() {
      const [script, ...args] = command;
      const { code, output } = await run(process.execPath, [`node_modules/${script}`, ...args], {
        quiet: true,
      });
      if (code === 0) return { passed: 0, failed: 0, tests: [], failures: [], output: 'Fine.' };
      const why = `${output.trimEnd()}\nFAILED (${args.join(' ')}).`;
      return { passed: 0, failed: 1, tests: [], failures: [{ title: name, why }], output: why };
    },
  }));
}

await main(import.meta.url, async () =>
  conclude(await runJobs([...(await checkJobs()), ...(await unitJobs())])),
);
