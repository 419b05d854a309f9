/** Checks types, style, layers and unused code, and runs the unit tests. */
import { ensureDependencies } from './lib/dependencies.mjs';
import { main, run, say } from './lib/project.mjs';
import { conclude, sum } from './lib/suites.mjs';
import { testUnit } from './testUnit.mjs';

/** The prose in docs and the files in the root keep their own form. */
const checked = [
  'src',
  'test',
  'scripts',
  'esbuild.mjs',
  'biome.json',
  'dependencies.config.cjs',
  'package.json',
];

const steps = [
  { name: 'Types of the host', command: ['typescript/bin/tsc', '-p', 'tsconfig.json'] },
  { name: 'Types of the panel', command: ['typescript/bin/tsc', '-p', 'tsconfig.webview.json'] },
  { name: 'Style', command: ['@biomejs/biome/bin/biome', 'ci', '--colors=off', ...checked] },
  {
    name: 'Layers and circles',
    command: ['dependency-cruiser/bin/dependency-cruise.mjs', '--config', 'dependencies.config.cjs', 'src'],
  },
  { name: 'Unused code', command: ['knip/bin/knip.js', '--config', 'scripts/knip.json'] },
];

/** A step that fails counts as one failed test. */
export async function check() {
  await ensureDependencies();
  let failed = 0;
  for (const { name, command } of steps) {
    const [script, ...args] = command;
    const { code, output } = await run(process.execPath, [`node_modules/${script}`, ...args], {
      quiet: true,
    });
    if (code === 0) {
      say(`${name}: fine.`);
    } else {
      failed += 1;
      say(`${output.trimEnd()}\n${name}: FAILED (${args.join(' ')}).`);
    }
  }
  return sum({ passed: 0, failed }, await testUnit());
}

await main(import.meta.url, async () => conclude(await check()));
