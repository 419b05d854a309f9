/** Which failed requests the service doesn't bill, if nothing of an answer and no usage arrived. */
import type { Failure, ServiceErrorDetails } from '../../service/errors.ts';

/**
 * Statuses from 500 that show that the service doesn't work on the request: it failed or has no capacity, or the gateway couldn't
 * connect to it. After others, such as a gateway timeout (504, 524), it may still be working on the request and billing it.
 */
const NOT_WORKED_ON: ReadonlySet<number> = new Set([500, 502, 503, 521, 523, 525, 526, 529]);

/**
 * Whether a failure shows that nothing is billed: the request was refused, or never reached the service. When in doubt, the
 * request was billed: the documented interface doesn't say what a stream costs that ends early, so only an error in place of a
 * stream is free (docs/service.md, Retries and ends).
 *
 * @param hasBegun whether a chunk has arrived, for example one with only the role
 */
export function isFreeFailure({ kind, details }: Failure, hasBegun: boolean): boolean {
  switch (kind) {
    case 'connection-lost':
    case 'silent':
    case 'response-too-large':
      return false;
    case 'unknown':
      // Without a status, an error of this extension ended the turn.
      return details.status !== undefined;
    case 'not-a-completion':
      // An empty body looks like a lost connection.
      return details.excerpt !== undefined && !OF_COMPLETION.test(details.excerpt);
    case 'server-failed':
    case 'overloaded':
      return !hasBegun && isOver(details);
    default:
      return !hasBegun;
  }
}

/** A part of a completion that was cut off, or has an unknown form. */
const OF_COMPLETION = /"(?:chat\.completion|choices)/;

/** Gateways put the status of the service behind them into the code of an error with status 200. */
function isOver({ status = 200, code }: ServiceErrorDetails): boolean {
  const own = status === 200 ? Number(code) : status;
  return !(own >= 500) || NOT_WORKED_ON.has(own);
}
