import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ServiceError, type ServiceErrorKind } from '../../../src/service/errors.ts';
import { pauseBeforeRetry } from '../../../src/service/retry.ts';

const rateLimited = (retryAfterMs?: number) =>
  new ServiceError('rate-limited', retryAfterMs === undefined ? {} : { retryAfterMs });

describe('The pause before a retry', () => {
  it('E6 grows from 1 to 2 seconds, with at most three tries', () => {
    assert.equal(pauseBeforeRetry(rateLimited(), 1, 0), 1000);
    assert.equal(pauseBeforeRetry(rateLimited(), 2, 0), 2000);
    assert.equal(pauseBeforeRetry(rateLimited(), 3, 0), undefined);
  });

  it('E6 has jitter of up to a quarter, so that clients do not retry at the same time', () => {
    assert.equal(pauseBeforeRetry(rateLimited(), 1, 0.5), 1125);
    assert.equal(pauseBeforeRetry(rateLimited(), 2, 1), 2500);
  });

  it('E6 is at least what the service asks for, and never shorter than the backoff', () => {
    assert.equal(pauseBeforeRetry(rateLimited(7000), 1, 0), 7000);
    assert.equal(pauseBeforeRetry(rateLimited(100), 2, 0), 2000);
    assert.equal(pauseBeforeRetry(rateLimited(60_000), 1, 0), 60_000);
  });

  it('E6 is undefined if the service asks for more than a minute', () => {
    assert.equal(pauseBeforeRetry(rateLimited(60_001), 1, 0), undefined);
  });

  it('E8 is defined for missing capacity and server failures', () => {
    assert.equal(pauseBeforeRetry(new ServiceError('overloaded'), 1, 0), 1000);
    assert.equal(pauseBeforeRetry(new ServiceError('server-failed'), 1, 0), 1000);
  });

  it('is defined for a proxy that cannot open a tunnel at the moment, because nothing has been sent', () => {
    const refused = (status: number) => new ServiceError('proxy-refused', { status, proxy: true });
    for (const status of [502, 503, 504]) assert.equal(pauseBeforeRetry(refused(status), 1, 0), 1000);
    for (const status of [403, 407]) assert.equal(pauseBeforeRetry(refused(status), 1, 0), undefined);
  });

  const final: readonly ServiceErrorKind[] = [
    'bad-key',
    'model-unavailable',
    'model-unknown',
    'access-denied',
    'invalid-request',
    'filtered',
    'context-overflow',
    'too-large',
    'no-balance',
    'redirected',
    'not-found',
    'not-a-completion',
    'unreachable',
    'untrusted-certificate',
    'proxy-refused',
    'connection-lost',
    'silent',
    'stream-error',
    'unknown',
  ];
  for (const kind of final) {
    it(`${kind === 'no-balance' ? 'E7 ' : kind === 'model-unknown' ? 'E3 ' : ''}is undefined for ${kind}`, () => {
      assert.equal(pauseBeforeRetry(new ServiceError(kind, { retryAfterMs: 1 }), 1, 0), undefined);
    });
  }
});
