/** What a probe found, as it is stored and read again. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CheckResult, RouteProbe } from '../../../src/probe/probe.ts';
import { decodeProbe, withResults } from '../../../src/probe/storedProbe.ts';

const result = (check: CheckResult['check'], more: Partial<CheckResult> = {}): CheckResult => ({
  check,
  verdict: 'no',
  seen: { kind: 'dropped', values: [] },
  at: 1,
  ...more,
});
const probeOf = (...results: readonly CheckResult[]): RouteProbe => ({ results, requests: 3, cost: 0.01 });
const FAILED = { verdict: 'unclear', seen: { kind: 'failed', values: ['silent'] }, at: 2 } as const;

describe('A stored probe', () => {
  it('is the same after it was written and read', () => {
    const probe = probeOf(
      result('tools'),
      result('effort', { seen: { kind: 'efforts', values: ['1', '2'] } }),
    );
    assert.deepEqual(
      decodeProbe(JSON.parse(JSON.stringify(probe)), () => assert.fail()),
      probe,
    );
    const free = { ...probe, cost: undefined };
    assert.deepEqual(
      decodeProbe(JSON.parse(JSON.stringify(free)), () => assert.fail()),
      free,
    );
  });

  it('loses the results that another version or a damage made, and nothing else', () => {
    const wrong: unknown[] = [
      { ...result('tools'), check: 'telepathy' },
      { ...result('tools'), verdict: 'maybe' },
      { ...result('tools'), at: 'yesterday' },
      { ...result('tools'), seen: { kind: 'dropped', values: [1] } },
      { ...result('tools'), seen: undefined },
      null,
      'tools',
    ];
    const told: string[] = [];
    const read = decodeProbe({ ...probeOf(), results: [...wrong, result('images')] }, ({ field }) => {
      told.push(field);
    });
    assert.deepEqual(read?.results, [result('images')]);
    assert.deepEqual(told, ['check', 'verdict', 'at', 'seen.values[0]', 'seen', '', '']);
    for (const nothing of [null, 'x', [], {}, { ...probeOf(), requests: -1 }, { ...probeOf(), results: 3 }])
      assert.equal(
        decodeProbe(nothing, () => undefined),
        undefined,
      );
  });

  it('gets the results of a later one, and keeps those that the later one does not have', () => {
    const earlier = probeOf(result('tools'), result('images'), result('json'));
    const later = probeOf(result('tools', { verdict: 'yes', at: 2 }), result('json', FAILED));
    assert.deepEqual(withResults(earlier, later).results, [
      result('tools', { verdict: 'yes', at: 2 }),
      result('images'),
      result('json'),
    ]);
    assert.deepEqual(withResults(undefined, later).results, later.results);
  });
});
