/** Finds the kind of an error: by `type`, then by `code`, then by the message, then by the status (E11). */
import type { ServiceErrorKind } from './errors.ts';
import { MESSAGE_LENGTH } from './limits.ts';

/** The parts of an error that show its kind. */
export interface ErrorWords {
  readonly message: string | undefined;
  readonly type: string | undefined;
  readonly code: string | undefined;
}

const KIND_BY_NAME: Readonly<Record<string, ServiceErrorKind>> = {
  invalid_authentication_error: 'bad-key',
  incorrect_api_key_error: 'bad-key',
  authentication_error: 'bad-key',
  invalid_api_key: 'bad-key',
  permission_denied_error: 'access-denied',
  resource_not_found_error: 'model-unavailable',
  model_not_found: 'model-unknown',
  content_filter: 'filtered',
  exceeded_current_quota_error: 'no-balance',
  insufficient_quota: 'no-balance',
  insufficient_balance: 'no-balance',
  insufficient_user_quota: 'no-balance',
  pre_consume_token_quota_failed: 'no-balance',
  Arrearage: 'no-balance',
  rate_limit_reached_error: 'rate-limited',
  rate_limit_error: 'rate-limited',
  rate_limit_exceeded: 'rate-limited',
  engine_overloaded_error: 'overloaded',
  overloaded_error: 'overloaded',
  server_error: 'server-failed',
  context_length_exceeded: 'context-overflow',
};

/** Words for a balance that ran out, which are also used for rate limits. */
const QUOTA =
  /insufficient (account )?quota|spending limit|budget has been exceeded|quota exceeded|quota is not enough|exceeded (your )?current (token )?quota|exceeded_current_quota|insufficient_quota|suspended due to|额度不足|额度已用尽|account\b.{0,80} suspended/i;

/** Messages that are more specific than a general type, in order of precedence. */
const KIND_BY_WORDS: readonly (readonly [RegExp, ServiceErrorKind])[] = [
  [
    /insufficient (account )?(balance|credit|fund)|(out of|not enough|all available) (balance|credit|fund)|balance (is )?(too low|not enough|insufficient)|overdue balance|余额不足|欠费/i,
    'no-balance',
  ],
  [QUOTA, 'no-balance'],
  [
    /input token length too long|(prompt|input) is too long|exceeded model token limit|maximum context|input token count.{0,40} exceeds the maximum|\b(exceed(s|ed|ing)?|too long|longer than|larger than|beyond)\b.{0,80}context (length|window|size|limit)|context (length|window|size).{0,40}(exceeded|too long)/i,
    'context-overflow',
  ],
  [
    /total message size|exceeds? (the )?maximum size|request (entity|body) too large|payload too large/i,
    'too-large',
  ],
  [
    /\b(blocked|refused|rejected|triggered|flagged|violat\w{1,10})\b.{0,60}content[_ ]filter|content[_ ]filter\w{0,20}.{0,40}(blocked|refused|rejected|triggered|violat)|high risk|input was flagged|content management policy/i,
    'filtered',
  ],
];

const KIND_BY_STATUS: Readonly<Record<number, ServiceErrorKind>> = {
  400: 'invalid-request',
  401: 'bad-key',
  402: 'no-balance',
  403: 'access-denied',
  404: 'not-found',
  405: 'not-found',
  407: 'proxy-refused',
  408: 'server-failed',
  413: 'too-large',
  422: 'invalid-request',
  429: 'rate-limited',
  500: 'server-failed',
  502: 'overloaded',
  503: 'overloaded',
  504: 'overloaded',
  529: 'overloaded',
};

/** @param status of the response; 200 if the error was found in place of an answer */
export function errorKindOf(body: ErrorWords | undefined, status: number): ServiceErrorKind {
  const named = kindInNames(body);
  const worded = kindWorded(body?.message ?? '', status);
  // A balance that ran out is often reported with the type of a rate limit, and waiting doesn't help (E7).
  if (worded === 'no-balance') return worded;
  // A status that means peak hours (E8) or an invalid request is also more specific than a general type.
  if (named === 'server-failed' && status !== 200) return worded ?? KIND_BY_STATUS[status] ?? named;
  if (named !== undefined) return named;
  if (worded !== undefined) return worded;
  // The address exists then, but the model doesn't.
  if (status === 404 && /\bmodel\b|no endpoints/i.test(body?.message ?? '')) return 'model-unavailable';
  const numeric = Number(body?.code);
  const byStatus = KIND_BY_STATUS[status] ?? KIND_BY_STATUS[numeric];
  if (byStatus !== undefined) return byStatus;
  // With any other status, the status is more specific than this type.
  if (status === 200) return body?.type === 'invalid_request_error' ? 'invalid-request' : 'stream-error';
  return status >= 500 ? 'server-failed' : 'unknown';
}

/** A rate limit that is called a quota resets by itself; a balance doesn't (E6, E7). */
const RATE = /per[- ]?(second|minute|hour|day)|rate[- ]limit/i;

/** A `code` is more specific than a general `type`. */
export function kindInNames(body: ErrorWords | undefined): ServiceErrorKind | undefined {
  const typed = kindNamed(body?.type);
  return typed === undefined || typed === 'server-failed' ? (kindNamed(body?.code) ?? typed) : typed;
}

export function kindWorded(whole: string, status = 0): ServiceErrorKind | undefined {
  const message = whole.slice(0, MESSAGE_LENGTH);
  const [words, kind] = KIND_BY_WORDS.find(([pattern]) => pattern.test(message)) ?? [];
  if (words === QUOTA && RATE.test(message)) return undefined;
  // The message of a server failure doesn't show whether the request was valid.
  return status >= 500 && kind !== 'no-balance' ? undefined : kind;
}

function kindNamed(name: string | undefined): ServiceErrorKind | undefined {
  return name !== undefined && Object.hasOwn(KIND_BY_NAME, name) ? KIND_BY_NAME[name] : undefined;
}
