/** Tests the client with faults of the network and the disk. Arguments: names of faults, `--json FILE`, `--at-once N`. */
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main, run } from './lib/project.mjs';

await main(import.meta.url, async () => {
  await ensureDependencies();
  const args = [
    '--disable-warning=ExperimentalWarning',
    join('test/faults/main.ts'),
    ...process.argv.slice(2),
  ];
  process.exitCode = (await run(await ensureNode24(), args)).code;
});
