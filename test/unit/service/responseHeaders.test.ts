import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { requestIdOf, retryAfterMs } from '../../../src/service/responseHeaders.ts';

const NOW = Date.UTC(2026, 0, 1);

/** What the service asks to wait, in milliseconds, when a limit of requests is used up. */
const waitOf = (reset: string, more: Readonly<Record<string, string>> = {}) =>
  retryAfterMs({ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': reset, ...more }, NOW);

describe('The time that the service asks to wait', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const cases: readonly (readonly [Readonly<Record<string, string>>, number | undefined])[] = [
    [{}, undefined],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '-3' }, 0],
    [{ 'retry-after': '120' }, 120_000],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '59.99999904632568' }, 59.99999904632568 * 1000],
    [{ 'retry-after': '.5' }, 500],
    [{ 'retry-after': '10s' }, 10_000],
    [{ 'retry-after': '7, 9' }, 7000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT, Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
    [{ 'retry-after': '1m30s' }, 90_000],
    [{ 'retry-after': '10 seconds' }, 10_000],
    [{ 'retry-after': '1 minute 5 secs' }, 65_000],
    [{ 'retry-after': '250ms' }, 250],
    [{ 'retry-after': '1767225605' }, 5000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:10:07 GMT', date: 'Thu, 01 Jan 2026 00:10:00 GMT' }, 7000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:50:07 GMT', date: 'Wed, 31 Dec 2025 23:50:00 GMT' }, 7000],
    [{ 'retry-after': '1767225605', date: 'Wed, 31 Dec 2025 23:59:56 GMT' }, 9000],
    [{ 'retry-after': '2', date: 'Wed, 31 Dec 2025 23:50:00 GMT' }, 2000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT', date: 'today' }, 7000],
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': 'x', 'retry-after': '9' }, 9000],
    [{ 'retry-after-ms': '', 'retry-after': '9' }, 9000],
  ];
  for (const [headers, expected] of cases) {
    it(`E6 is ${expected} for ${JSON.stringify(headers)}`, () =>
      assert.equal(retryAfterMs(headers, now), expected));
  }

  it('E6 has times in UTC, also if they name no zone, and those of another zone that they name', () => {
    const { TZ } = process.env;
    process.env['TZ'] = 'Asia/Tokyo';
    try {
      for (const time of [
        'Thu, 01 Jan 2026 00:00:07 GMT',
        'Thursday, 01-Jan-26 00:00:07 GMT',
        'Thu Jan  1 00:00:07 2026',
        '2026-01-01T00:00:07',
        '2026-01-01T00:00:07.000123',
        ' 2026-01-01 00:00:07 ',
        '2026-01-01T00:00:07Z',
        '2026-01-01T09:00:07+09:00',
      ])
        assert.equal(Math.floor(retryAfterMs({ 'retry-after': time }, now) ?? 0), 7000, time);
      const date = 'Thu Jan  1 00:00:02 2026';
      assert.equal(retryAfterMs({ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT', date }, 0), 5000);
    } finally {
      if (TZ === undefined) delete process.env['TZ'];
      else process.env['TZ'] = TZ;
    }
  });
});

describe('The time until a limit that is used up starts anew', () => {
  it('E6 is read from its headers in any notation', () => {
    for (const [reset, expected] of [
      ['7s', 7000],
      ['700ms', 700],
      ['0m6.5s', 6500],
      ['1m0s', 60_000],
      ['7', 7000],
      ['0', 0],
      [String(NOW / 1000 + 9), 9000],
      [String(NOW + 9000), 9000],
      [String(NOW - 9000), 0],
    ] as const)
      assert.equal(waitOf(reset), expected, reset);
  });

  it('E6 is not known if the value is no time', () => {
    for (const reset of ['', 'soon', '7x', '5 s', '-1', 's', '1e3s'])
      assert.equal(waitOf(reset), undefined, reset);
  });

  it('E6 is the longest of the limits that are used up', () => {
    const tokens = { 'x-ratelimit-reset-tokens': '30s' };
    assert.equal(waitOf('7s', { ...tokens, 'x-ratelimit-remaining-tokens': '0' }), 30_000);
    assert.equal(waitOf('7s', { ...tokens, 'x-ratelimit-remaining-tokens': '12' }), 7000);
    assert.equal(waitOf('7s', tokens), 7000);
    assert.equal(waitOf('7s', { 'x-ratelimit-remaining-requests': '3' }), undefined);
    assert.equal(retryAfterMs({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4' }, NOW), 4000);
  });

  it('E6 does not keep a request from being sent again if it is over a minute, because less may be enough', () => {
    assert.equal(waitOf('6m0s'), undefined);
    assert.equal(waitOf('1h'), undefined);
  });

  it('E6 does not count beside Retry-After', () => {
    assert.equal(waitOf('7s', { 'retry-after': '2' }), 2000);
    assert.equal(waitOf('7s', { 'retry-after-ms': '20' }), 20);
    assert.equal(waitOf('7s', { 'retry-after': 'soon' }), 7000);
  });
});

describe('The id of a request', () => {
  it('is read from the header of the service, otherwise from that of a gateway', () => {
    assert.equal(requestIdOf({ 'x-request-id': 'r1', 'x-trace-id': 't1' }), 'r1');
    assert.equal(requestIdOf({ 'x-trace-id': 't1' }), 't1');
    assert.equal(requestIdOf({}), undefined);
  });
});
