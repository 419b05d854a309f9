/**
 * Runs the benchmarks in test/bench, one after the other. Arguments select some of them by name. `--json FILE` writes
 * their figures to a file as well: `[{part, case, value, unit, ratios}]`.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { Failure, main, root, run, say } from './lib/project.mjs';

await main(import.meta.url, async () => {
  await ensureDependencies();
  const node = await ensureNode24();
  await build({ smaller: true });
  const { values, positionals: wanted } = parseArgs({
    options: { json: { type: 'string' } },
    allowPositionals: true,
  });
  const files = (await readdir(join(root, 'test/bench')).catch(() => []))
    .filter((file) => file.endsWith('.bench.ts'))
    .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
    .sort();
  if (files.length === 0) throw new Failure('There is no such measurement in test/bench.');
  const folder = await mkdtemp(join(tmpdir(), 'k3-bench-'));
  const figures = [];
  for (const file of files) {
    say(`\n${file}`);
    const written = join(folder, file);
    process.env.BENCH_JSON = written;
    const { code } = await run(node, [
      '--disable-warning=ExperimentalWarning',
      '--expose-gc',
      join('test/bench', file),
    ]);
    if (code !== 0) process.exitCode = 1;
    figures.push(...JSON.parse(await readFile(written, 'utf8').catch(() => '[]')));
  }
  await rm(folder, { recursive: true, force: true });
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
});
