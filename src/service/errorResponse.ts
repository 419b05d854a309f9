/**
 * Converts an error response to a ServiceError: `type` first, then `code`, then the message, then the status
 * (E11).
 */
import { withoutUserInfo } from './address.ts';
import { ServiceError, type ServiceErrorDetails, type ServiceErrorKind } from './errors.ts';
import { asObject, asString, type JsonObject, parseJson } from './json.ts';

const EXCERPT_LENGTH = 400;

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
  rate_limit_reached_error: 'rate-limited',
  rate_limit_error: 'rate-limited',
  rate_limit_exceeded: 'rate-limited',
  engine_overloaded_error: 'overloaded',
  overloaded_error: 'overloaded',
  server_error: 'server-failed',
  context_length_exceeded: 'context-overflow',
};

/** Messages that are more specific than a general type, in order of precedence. */
const KIND_BY_WORDS: readonly (readonly [RegExp, ServiceErrorKind])[] = [
  [
    /insufficient (account )?(balance|credit|fund|quota)|out of credits?|balance (is )?(too low|not enough|insufficient)|quota exceeded|exceeded your current quota|suspended due to|account\b.{0,80} suspended/i,
    'no-balance',
  ],
  [
    /input token length too long|exceeded model token limit|maximum context|\b(exceed(s|ed|ing)?|too long|longer than|larger than|beyond)\b.{0,80}context (length|window)|context (length|window).{0,40}(exceeded|too long)/i,
    'context-overflow',
  ],
  [
    /total message size|exceeds? (the )?maximum size|request (entity|body) too large|payload too large/i,
    'too-large',
  ],
  [
    /\b(blocked|refused|rejected|triggered|flagged|violat\w{1,10})\b.{0,60}content[_ ]filter|content[_ ]filter\w{0,20}.{0,40}(blocked|refused|rejected|triggered|violat)|high risk|content management policy/i,
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

/** An error object, without the object that it was wrapped in. */
export interface ErrorBody {
  readonly message: string | undefined;
  readonly type: string | undefined;
  readonly code: string | undefined;
  readonly didYouMean: string | undefined;
}

/**
 * Finds the error in a JSON body or stream event: `{error:{…}}`, `{error:"…"}`, `{object:"error",message}`,
 * and the service's own error inside a gateway's `metadata.raw` or `message`. Returns undefined if there is
 * none.
 */
export function decodeErrorBody(json: unknown): ErrorBody | undefined {
  return findError(json, 0);
}

// The maximum number of nested gateway errors.
const MAX_NESTING = 8;

function findError(json: unknown, depth: number): ErrorBody | undefined {
  if (depth > MAX_NESTING) return undefined;
  const object = asObject(json);
  if (object === undefined) return undefined;
  const plain = asString(object['error']);
  if (plain !== undefined && plain !== '') {
    return {
      message: asString(object['message']) ?? plain,
      type: meaningful(object['type']),
      code: codeOf(object),
      didYouMean: undefined,
    };
  }
  const error = asObject(object['error']);
  if (error !== undefined && Object.keys(error).length > 0) {
    // Some servers put an empty error next to each answer.
    const says = ['message', 'type', 'code'].some((key) => (error[key] ?? '') !== '');
    return says || object['choices'] === undefined ? innermost(error, depth) : undefined;
  }
  if (object['object'] === 'error' || asString(object['type']) === 'error') return innermost(object, depth);
  return undefined;
}

function innermost(error: JsonObject, depth: number): ErrorBody {
  const raw = asObject(error['metadata'])?.['raw'];
  const message = asString(error['message']);
  const nested =
    findError(asString(raw) === undefined ? raw : parseJson(asString(raw) ?? ''), depth + 1) ??
    findError(jsonWithin(message), depth + 1) ??
    findError({ error: asObject(error['message']) }, depth + 1);
  const outer: ErrorBody = {
    message,
    type: meaningful(error['type']),
    code: codeOf(error),
    didYouMean: asString(error['did_you_mean']),
  };
  if (nested === undefined) return outer;
  return {
    message: nested.message ?? outer.message,
    type: nested.type ?? outer.type,
    code: nested.code ?? outer.code,
    didYouMean: nested.didYouMean ?? outer.didYouMean,
  };
}

/** An error object that a gateway put into its own message, after some text. */
function jsonWithin(message: string | undefined): unknown {
  const at = message?.indexOf('{') ?? -1;
  return message === undefined || at === -1 ? undefined : parseJson(message.slice(at));
}

/** Gateways written in Go print a missing type as `<nil>`. */
function meaningful(value: unknown): string | undefined {
  const text = asString(value);
  return text === undefined || text === '' || text === '<nil>' ? undefined : text;
}

function codeOf(error: JsonObject): string | undefined {
  const code = error['code'];
  return typeof code === 'number' ? String(code) : meaningful(code);
}

export interface ErrorContext {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Epoch milliseconds, to convert a Retry-After date to a duration. */
  readonly now: number;
}

/** The error for a response whose status is not 200. `text` is its body. */
export function fromErrorResponse(text: string, context: ErrorContext): ServiceError {
  const { status, headers } = context;
  if (status >= 300 && status < 400) {
    const location = headers['location'];
    return new ServiceError('redirected', {
      status,
      ...(location === undefined ? {} : { location: withoutUserInfo(location) }),
    });
  }
  const json = parseJson(text);
  const object = asObject(json);
  const body =
    decodeErrorBody(json) ??
    (object === undefined
      ? undefined
      : {
          message: asString(object['message']) ?? asString(object['detail']),
          type: meaningful(object['type']),
          code: codeOf(object),
          didYouMean: undefined,
        });
  return fromErrorBody(body, context, body?.message === undefined ? text : undefined);
}

/**
 * The error for an error object, wherever it was found. A `status` of 200 means that it was found in place of
 * an answer.
 */
export function fromErrorBody(
  body: ErrorBody | undefined,
  context: ErrorContext,
  text?: string,
): ServiceError {
  const details: ServiceErrorDetails = {
    status: context.status,
    ...defined({
      serviceMessage: body?.message,
      type: body?.type,
      code: body?.code,
      didYouMean: body?.didYouMean,
      retryAfterMs: retryAfterMs(context.headers, context.now),
      requestId: requestIdOf(context.headers),
      contentType: context.headers['content-type'],
      excerpt: text === undefined || text.trim() === '' ? undefined : text.slice(0, EXCERPT_LENGTH),
    }),
  };
  return new ServiceError(kindOf(body, context.status), details);
}

function kindOf(body: ErrorBody | undefined, status: number): ServiceErrorKind {
  const typed = kindNamed(body?.type);
  // A code is more specific than a general type.
  const named = typed === undefined || typed === 'server-failed' ? (kindNamed(body?.code) ?? typed) : typed;
  const worded = kindWorded(body?.message ?? '', status);
  // A balance that ran out is often reported with the type of a rate limit, and waiting doesn't help (E7).
  if (worded === 'no-balance') return worded;
  // A status that means peak hours (E8) or an invalid request is also more specific than a general type.
  if (named === 'server-failed' && status !== 200) return worded ?? KIND_BY_STATUS[status] ?? named;
  if (named !== undefined) return named;
  if (worded !== undefined) return worded;
  const numeric = Number(body?.code);
  const byStatus = KIND_BY_STATUS[status] ?? KIND_BY_STATUS[numeric];
  if (byStatus !== undefined) return byStatus;
  // With any other status, the status is more specific than this type.
  if (status === 200) return body?.type === 'invalid_request_error' ? 'invalid-request' : 'stream-error';
  return status >= 500 ? 'server-failed' : 'unknown';
}

/** A rate limit that is called a quota resets by itself; a balance doesn't (E6, E7). */
const RATE = /per[- ]?(second|minute|hour|day)|rate[- ]limit/i;

/**
 * How much of a message is searched for words, in characters. A gateway can repeat a whole request in it, and what went
 * wrong stands before that.
 */
const WORDS_LENGTH = 10_000;

function kindWorded(whole: string, status: number): ServiceErrorKind | undefined {
  const message = whole.slice(0, WORDS_LENGTH);
  const kind = KIND_BY_WORDS.find(([pattern]) => pattern.test(message))?.[1];
  if (kind === 'no-balance' && RATE.test(message)) return undefined;
  // The message of a failing server says nothing about whether the request was valid.
  return status >= 500 && kind !== 'no-balance' ? undefined : kind;
}

function kindNamed(name: string | undefined): ServiceErrorKind | undefined {
  return name !== undefined && Object.hasOwn(KIND_BY_NAME, name) ? KIND_BY_NAME[name] : undefined;
}

/**
 * The value of `retry-after-ms`, or of `retry-after` in seconds or as a date, in milliseconds. Never
 * negative.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const ms = Number(headers['retry-after-ms'] || Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const value = headers['retry-after'];
  if (value === undefined || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export function requestIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  return headers['x-request-id'] ?? headers['x-trace-id'];
}

/** The object without its undefined fields. */
function defined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
