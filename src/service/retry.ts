import type { ServiceError, ServiceErrorKind } from './errors.ts';
import { MAX_TRIES } from './limits.ts';

const RETRIED: ReadonlySet<ServiceErrorKind> = new Set(['rate-limited', 'overloaded', 'server-failed']);

/** Other failures, like a timeout of a gateway (524), leave open whether the service is still at work and bills. */
const FAILED_AND_RETRIED: ReadonlySet<number> = new Set([500, 502, 503, 504, 529]);

/** A pause longer than this is not taken by itself: the turn ends and says when to come back. In milliseconds. */
export const LONGEST_PAUSE_MS = 60_000;

/**
 * The pause before the next try, in milliseconds, or undefined when there is to be none (E6, E8).
 *
 * 1, 2, 4 s with up to a quarter of jitter on top, or what the service asks for if that is longer. Only for replies
 * that came instead of a stream; after the first byte of a body a request is never sent again by itself.
 *
 * @param tries requests made so far, the failed one included
 * @param random a number from 0 to 1
 */
export function pauseBeforeRetry(error: ServiceError, tries: number, random: number): number | undefined {
  if (tries >= MAX_TRIES || !RETRIED.has(error.kind)) return undefined;
  const { status } = error.details;
  if (error.kind === 'server-failed' && status !== undefined && !FAILED_AND_RETRIED.has(status))
    return undefined;
  const asked = error.details.retryAfterMs ?? 0;
  if (asked > LONGEST_PAUSE_MS) return undefined;
  const backoff = 1000 * 2 ** (tries - 1);
  return Math.round(Math.max(backoff, asked) + backoff * 0.25 * random);
}
