import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createPlainEditor } from '../../../support/review/plainEditor.ts';
import { scenario } from '../../../support/review/scenario.ts';
import { runScenario } from '../../../support/review/steps.ts';

/** The number of random documents. `RUNS=100000` is the long version. */
const RUNS = Number(process.env['RUNS'] ?? 3000);
/** The first random number, to get the same documents again. */
const SEED = process.env['SEED'];

describe('A document under review', () => {
  it('equals a simple model, byte for byte, whatever is typed, undone, proposed, accepted, and rejected', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (one) => {
        await runScenario(one, createPlainEditor);
      }),
      { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
    );
  }).timeout(3_600_000);
});
