/**
 * Everything that can go wrong on the wire, as one class with kinds (E1–E11, docs/service.md). Stopped and
 * truncated turns are outcomes, not errors. Messages for the user are not defined here.
 */
export type ServiceErrorKind =
  | 'bad-key'
  /** The key was cleared, or set for another address, while the turn ran. Nothing was sent. */
  | 'key-removed'
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
  /** An event, the text of a stream, or a body that isn't an event stream is too long. Reading stops. */
  | 'response-too-large'
  | 'unknown';

/** The phase in which the service sent nothing for too long. */
export type WaitPhase = 'connecting' | 'first-byte' | 'reasoning' | 'answering';

export interface ServiceErrorDetails {
  /** HTTP status, if there was one. */
  readonly status?: number;
  /** The message of the service, unchanged. */
  readonly serviceMessage?: string;
  readonly type?: string;
  readonly code?: string;
  /** Milliseconds that the service asks to wait. */
  readonly retryAfterMs?: number;
  /** The model id that a gateway suggests instead (E3). */
  readonly didYouMean?: string;
  readonly requestId?: string;
  /** The target of a redirect. Redirects are never followed. */
  readonly location?: string;
  readonly contentType?: string;
  /** The compression of the body, if it couldn't be read because of that. */
  readonly contentEncoding?: string;
  /** The first characters of a body that isn't a completion. */
  readonly excerpt?: string;
  readonly phase?: WaitPhase;
  readonly silentMs?: number;
  /** The service wasn't silent, but sent nothing except keep-alives. */
  readonly keptAlive?: true;
  /** The request failed at the proxy: it can't be reached, or it refused the connection to the service. */
  readonly proxy?: true;
  /** System error code, for example `ECONNREFUSED`. */
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

/** A ServiceError as plain data, for the state and for storage. */
export interface Failure {
  readonly kind: ServiceErrorKind;
  readonly details: ServiceErrorDetails;
}

export function toFailure(error: ServiceError): Failure {
  return { kind: error.kind, details: error.details };
}

/**
 * The model that a gateway suggests instead of the one that was asked for (E3). Undefined if it suggests the same one: then the
 * gateway knows the model, but the API key has no access to it.
 */
export function suggestedModel({ details: { didYouMean } }: Failure, asked: string): string | undefined {
  return didYouMean === asked ? undefined : didYouMean;
}
