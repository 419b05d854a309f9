/** The decoder for the failure of a turn, in the database and in exported files. */
import * as v from 'valibot';
import type { Failure, ServiceErrorDetails, ServiceErrorKind, WaitPhase } from '../service/errors.ts';
import { type Decoder, type Fields, oneOf } from '../validation/decode.ts';

const text = v.string();

const KINDS = {
  'bad-key': true,
  'key-removed': true,
  'model-unavailable': true,
  'model-unknown': true,
  'access-denied': true,
  'invalid-request': true,
  filtered: true,
  'context-overflow': true,
  'too-large': true,
  'rate-limited': true,
  overloaded: true,
  'no-balance': true,
  'server-failed': true,
  redirected: true,
  'not-found': true,
  'not-a-completion': true,
  unreachable: true,
  'untrusted-certificate': true,
  'proxy-refused': true,
  'connection-lost': true,
  silent: true,
  'stream-error': true,
  'response-too-large': true,
  unknown: true,
} as const satisfies Record<ServiceErrorKind, true>;

const isKind = (value: string): value is ServiceErrorKind => Object.hasOwn(KINDS, value);

/** A kind that this version doesn't know becomes `unknown`. */
const failureKind: Decoder<ServiceErrorKind> = v.pipe(
  text,
  v.transform((value): ServiceErrorKind => (isKind(value) ? value : 'unknown')),
);

const waitPhase = oneOf<WaitPhase>({
  connecting: true,
  'first-byte': true,
  reasoning: true,
  answering: true,
});

const details: Decoder<ServiceErrorDetails> = v.looseObject({
  status: v.exactOptional(v.number()),
  serviceMessage: v.exactOptional(text),
  type: v.exactOptional(text),
  code: v.exactOptional(text),
  retryAfterMs: v.exactOptional(v.number()),
  didYouMean: v.exactOptional(text),
  requestId: v.exactOptional(text),
  location: v.exactOptional(text),
  contentType: v.exactOptional(text),
  contentEncoding: v.exactOptional(text),
  excerpt: v.exactOptional(text),
  phase: v.exactOptional(waitPhase),
  silentMs: v.exactOptional(v.number()),
  keptAlive: v.exactOptional(v.literal(true)),
  proxy: v.exactOptional(v.literal(true)),
  systemCode: v.exactOptional(text),
} satisfies Fields<ServiceErrorDetails>);

export const failure: Decoder<Failure> = v.looseObject({
  kind: failureKind,
  details: v.optional(details, {}),
});
