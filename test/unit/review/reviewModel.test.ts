import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createPlainEditor } from '../../support/review/plainEditor.ts';
import { type Scenario, scenario } from '../../support/review/scenario.ts';
import { runScenario } from '../../support/review/steps.ts';

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

  it('is as before when a line is undone that is equal to the one that a hunk has deleted', async () => {
    const steps: Scenario['steps'] = [
      {
        do: 'propose',
        splices: [{ at: 0, count: 1, added: [] }],
        style: { form: 'edits', context: 0, slips: 0 },
      },
      { do: 'lines', splice: { at: 3, count: 0, added: [0] }, fromLineEnd: false },
      { do: 'format', splices: [{ at: 0, count: 0, added: [1] }] },
      { do: 'accept', which: 0, all: false, earlier: false },
      { do: 'type', typing: [{ at: 21, removed: 0, inserted: '\r\n' }] },
      { do: 'undo' },
    ];
    const start = { exists: true, unique: false, lines: [1], lineEnd: '\n', lastEnded: true } as const;
    assert.equal(await runScenario({ ...start, steps }, createPlainEditor), steps.length);
  });
});
