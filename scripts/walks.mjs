/**
 * Simulates a random user in the real workbench, with the emulator as the service. Prints each step, and the faults at the end.
 *
 *   npm run walks
 *   npm run walks -- --seed 7 --steps 60 --windows 2
 *   npm run walks -- --windows 2 --only 'ask|queue|at once|kill'
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './lib/build.mjs';
import { underNode24 } from './lib/node24.mjs';
import { Failure, main, say } from './lib/project.mjs';
import { setup } from './setup.mjs';

await main(import.meta.url, async () => {
  const { seed, steps, windows, only } = options();
  await setup();
  await underNode24();
  await build();
  const pictures = join(tmpdir(), 'k3-walks');
  const { walk } = await import('../test/support/walks/walk.ts');
  const faults = await walk({ seed, steps, windows, only: new RegExp(only), pictures, say });
  const again = `npm run walks -- --seed ${seed} --steps ${steps} --windows ${windows}${only === '' ? '' : ` --only '${only}'`}`;
  say(
    `\n${faults.length === 0 ? '0 faults' : `${faults.length} faults, with pictures in ${pictures}`}: ${again}`,
  );
  for (const fault of faults) say(`- ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
});

function options() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Date.now() % 100_000) },
      steps: { type: 'string', default: '60' },
      windows: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
    },
  });
  const [seed, steps, windows] = [values.seed, values.steps, values.windows].map(Number);
  if (!Number.isInteger(seed) || !Number.isInteger(steps) || (windows !== 1 && windows !== 2))
    throw new Failure('Give whole numbers: --seed, --steps, and --windows (1 or 2).');
  return { seed: seed ?? 0, steps: steps ?? 0, windows, only: values.only };
}
