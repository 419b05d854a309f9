/**
 * What can go wrong on the wire, as one class with kinds (E1–E11, docs/service.md).
 * Stopping and truncation are outcomes of a turn, not errors; no words for the user live here.
 */
export type ServiceErrorKind =
  | 'bad-key'
  | 'model-unavailable'
  | 'model-unknown'
  | 'access-denied'
  | 'invalid-request'
  | 'filtered'
  | 'context-overflow'
  | 'too-large'
  | 'rate-limited'
  | 'overloaded'
  | 'no-balance'
  | 'server-failed'
  | 'redirected'
  | 'not-found'
  | 'not-a-completion'
  | 'unreachable'
  | 'untrusted-certificate'
  | 'proxy-refused'
  | 'connection-lost'
  | 'silent'
  | 'stream-error'
  /** An event, or a body that is none, has no end in sight: it is not read to its end. */
  | 'response-too-large'
  | 'unknown';

/** The stage in which the service fell silent. */
export type WaitPhase = 'connecting' | 'first-byte' | 'reasoning' | 'answering';

export interface ServiceErrorDetails {
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** The service's own words, as they came. */
  readonly serviceMessage?: string;
  readonly type?: string;
  readonly code?: string;
  /** Milliseconds that the service asks to wait. */
  readonly retryAfterMs?: number;
  /** The model id that a gateway suggests instead (E3). */
  readonly didYouMean?: string;
  readonly requestId?: string;
  /** Where a redirect pointed; it is never followed. */
  readonly location?: string;
  readonly contentType?: string;
  /** The first characters of a body that is no completion. */
  readonly excerpt?: string;
  readonly phase?: WaitPhase;
  readonly silentMs?: number;
  /** System error code, like `ECONNREFUSED`. */
  readonly systemCode?: string;
}

export class ServiceError extends Error {
  readonly kind: ServiceErrorKind;
  readonly details: ServiceErrorDetails;

  constructor(kind: ServiceErrorKind, details: ServiceErrorDetails = {}, cause?: unknown) {
    super(details.serviceMessage ?? kind, cause === undefined ? undefined : { cause });
    this.name = 'ServiceError';
    this.kind = kind;
    this.details = details;
  }
}

/** The same as plain data, for state and for the disk. */
export interface Failure {
  readonly kind: ServiceErrorKind;
  readonly details: ServiceErrorDetails;
}

export function toFailure(error: ServiceError): Failure {
  return { kind: error.kind, details: error.details };
}
