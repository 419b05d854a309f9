import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  type Measure,
  parseMeasures,
  toMeasure,
  toTokenRatio,
  withMeasure,
} from '../../../../src/conversation/usage/tokenRatio.ts';
import { NO_USAGE } from '../turns.ts';

const billed = (promptTokens: number | undefined) => ({ ...NO_USAGE, promptTokens });
const learn = (known: readonly Measure[], text: number, promptTokens: number | undefined, images = 0) => {
  const measure = toMeasure({ text, images }, billed(promptTokens));
  return measure === undefined ? known : withMeasure(known, measure);
};
const TIMES = 20;

describe('Tokens of a route for each estimated token', () => {
  it('are one before anything is known, and hardly change with a short request', () => {
    assert.equal(toTokenRatio([]), 1);
    assert.ok(Math.abs(toTokenRatio(learn([], 20, 90 + 30)) - 1) < 0.05);
  });

  it('come within 5 % of the truth after 20 requests, whatever their noise and order', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.3, max: 2.5, noNaN: true }),
        fc.array(
          fc.record({
            text: fc.integer({ min: 2000, max: 900_000 }),
            noise: fc.double({ min: -0.1, max: 0.1, noNaN: true }),
            images: fc.integer({ min: 0, max: 1 }),
          }),
          { minLength: TIMES, maxLength: TIMES },
        ),
        fc.double({ min: 0.5, max: 1.5, noNaN: true }),
        (ratio, requests, first) => {
          // Noise has no direction.
          const bias = requests.reduce((sum, { noise }) => sum + noise, 0) / TIMES;
          let known = learn([], 3000, 90 + 3000 * first);
          for (const { text, noise, images } of requests)
            known = learn(
              known,
              text,
              Math.round(90 + images * 2000 + text * ratio * (1 + noise - bias)),
              images,
            );
          const error = Math.abs(toTokenRatio(known) / ratio - 1);
          assert.ok(error < 0.05, `${error} of ${ratio}`);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('do not change with figures that are missing, zero, negative, or absurd', () => {
    const known = [10_000, 10_000, 10_000].reduce(
      (all, text) => learn(all, text, 90 + text * 1.3),
      [] as readonly Measure[],
    );
    const lies = [undefined, 0, -5, 1, 90, 10_000_000, Number.NaN, Number.POSITIVE_INFINITY];
    for (const lie of lies) assert.deepEqual(learn(known, 10_000, lie), known, String(lie));
    assert.deepEqual(learn(known, 0, 5000), known, 'nothing was estimated');
    assert.deepEqual(learn(known, 1000, 5000, 1), known, 'mostly an image');
  });

  it('hardly change with a few lies that could be true, first, last, or between', () => {
    for (const at of [0, 6, 12]) {
      let known: readonly Measure[] = [];
      for (let i = 0; i < 13; i++) {
        const lies = i === at || i === (at + 3) % 13;
        known = learn(known, 10_000, 90 + 10_000 * (lies ? 2.9 : 1.2));
      }
      assert.ok(Math.abs(toTokenRatio(known) / 1.2 - 1) < 0.05, `${at}: ${toTokenRatio(known)}`);
    }
  });

  it('follow a service that counts in another way from now on', () => {
    let known: readonly Measure[] = [];
    for (let i = 0; i < 40; i++) known = learn(known, 10_000, 90 + 10_000 * (i < 20 ? 1 : 1.5));
    assert.ok(Math.abs(toTokenRatio(known) - 1.5) < 0.05);
    assert.equal(known.length, TIMES);
  });

  it('are read back without what is no measure', () => {
    const good: Measure = [1.2, 0.5];
    const damaged = [
      good,
      [1.2],
      [1, 2],
      [9, 1],
      [1, 0],
      ['1', 1],
      [Number.NaN, 1],
      null,
      'x',
      {},
      [1, 1, 1],
    ];
    assert.deepEqual(parseMeasures(damaged), [good]);
    for (const none of [undefined, null, 7, 'x', {}]) assert.deepEqual(parseMeasures(none), []);
    assert.equal(parseMeasures(Array.from({ length: 5000 }, () => good)).length, TIMES);
  });
});
