/** Converts an error response to a ServiceError. */
import { withoutUserInfo } from './address.ts';
import { codeOf, type ErrorBody, meaningful } from './errorBody.ts';
import { kindOf } from './errorKinds.ts';
import { ServiceError, type ServiceErrorDetails } from './errors.ts';
import { decodeAnyError } from './frameworkError.ts';
import { asObject, asString, parseJson } from './json.ts';
import { EXCERPT_LENGTH } from './limits.ts';
import { EPOCH_SECONDS, limitResetMs, toMs } from './rateLimits.ts';

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
    decodeAnyError(json) ??
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

/**
 * The value of `retry-after-ms`, or of `retry-after` in seconds, as another duration, or as a date, in milliseconds; otherwise, when a limit that
 * is used up starts anew. Never negative.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const ms = Number(headers['retry-after-ms'] || Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const value = headers['retry-after'];
  if (value === undefined || value.trim() === '') return limitResetMs(headers, now);
  const seconds = Number(value);
  if (seconds < EPOCH_SECONDS) return Math.max(0, seconds * 1000);
  const duration = toMs(value.trim(), now);
  if (duration !== undefined) return duration;
  const date = Date.parse(value);
  return Number.isNaN(date) ? limitResetMs(headers, now) : Math.max(0, date - now);
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
