/** Which kinds of failures are tried again, and when. A status has its kind in `errorKinds.ts`. */
import type { ServiceError, ServiceErrorKind } from './errors.ts';
import { MAX_TRIES } from './limits.ts';

const RETRIED: ReadonlySet<ServiceErrorKind> = new Set([
  'rate-limited',
  'overloaded',
  'server-failed',
  'proxy-refused',
]);

/**
 * Failures of the kinds `server-failed` and `proxy-refused` are tried again only with these statuses. After others, for example a gateway
 * timeout (524), the service may still be working on the request and billing it.
 */
const STATUSES_TRIED_AGAIN: ReadonlySet<number> = new Set([500, 502, 503, 504, 529]);

/**
 * The longest pause before an automatic retry, in milliseconds. If the service asks for a longer one, the
 * turn ends and shows when to try again.
 */
export const MAX_PAUSE_MS = 60_000;

/** The pause before the first retry, in milliseconds (E6). */
const FIRST_PAUSE_MS = 1000;

/**
 * The pause before the next try, in milliseconds, or undefined if there is no retry (E6, E8).
 *
 * The pause is 1 or 2 s, or longer if the service asks for it, plus a jitter of up to a quarter of 1 or 2 s. Applies only to
 * error responses: after the first byte of a body, a request is never sent again automatically.
 *
 * @param tries requests made so far, including the failed one
 * @param random a number from 0 to 1
 * @param firstPause in milliseconds, instead of 1 s
 */
export function pauseBeforeRetry(
  error: ServiceError,
  tries: number,
  random: number,
  firstPause = FIRST_PAUSE_MS,
): number | undefined {
  if (tries >= MAX_TRIES || !RETRIED.has(error.kind)) return undefined;
  const { status } = error.details;
  if (error.kind === 'server-failed' && status !== undefined && !STATUSES_TRIED_AGAIN.has(status))
    return undefined;
  // With these statuses, a proxy can't reach the service at the moment. The proxy has got only the name of the service, so
  // nothing can be billed.
  if (error.kind === 'proxy-refused' && !STATUSES_TRIED_AGAIN.has(status ?? 407)) return undefined;
  const asked = error.details.retryAfterMs ?? 0;
  if (asked > MAX_PAUSE_MS) return undefined;
  const backoff = firstPause * 2 ** (tries - 1);
  return Math.round(Math.max(backoff, asked) + backoff * 0.25 * random);
}
