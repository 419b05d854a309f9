/** Runs the benchmarks in test/bench, one after the other. Arguments select some of them by name. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { Failure, main, root, run, say } from './lib/project.mjs';

await main(import.meta.url, async () => {
  await ensureDependencies();
  const node = await ensureNode24();
  await build();
  const wanted = process.argv.slice(2);
  const files = (await readdir(join(root, 'test/bench')).catch(() => []))
    .filter((file) => file.endsWith('.bench.ts'))
    .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
    .sort();
  if (files.length === 0) throw new Failure('There is no such measurement in test/bench.');
  for (const file of files) {
    say(`\n${file}`);
    const { code } = await run(node, [
      '--disable-warning=ExperimentalWarning',
      '--expose-gc',
      join('test/bench', file),
    ]);
    if (code !== 0) process.exitCode = 1;
  }
});
