import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { checkAll } from '../../../support/windows/checks.ts';
import { anyStep, runStep } from '../../../support/windows/steps.ts';
import { openWorld } from '../../../support/windows/world.ts';

/** The number of random sequences of steps. `RUNS=1000` is the long version. */
const RUNS = Number(process.env['RUNS'] ?? 25);
/** The first random number, to get the same steps again. */
const SEED = process.env['SEED'];

describe('Two windows that ask, queue, edit, import, freeze, and are killed', () => {
  it('lose nothing, send nothing twice, end and count each turn once, and show the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40, size: 'max' }), async (steps) => {
        const folder = await mkdtemp(join(tmpdir(), 'k3-windows-'));
        const world = await openWorld(folder);
        try {
          for (const step of steps) await runStep(world, step);
          await checkAll(world);
        } finally {
          for (const window of world.windows) if (!window.isDead()) window.kill();
          world.clock.restore();
          await rm(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
    );
  }).timeout(3_600_000);
});
