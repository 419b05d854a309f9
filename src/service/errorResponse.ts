/** Converts an error response to a ServiceError. */
import { withoutUserInfo } from './address.ts';
import { decodeErrorBody, type ErrorBody, findRaw } from './errorBody.ts';
import { errorKindOf } from './errorKinds.ts';
import { ServiceError, type ServiceErrorDetails } from './errors.ts';
import { decodeAnyError } from './frameworkError.ts';
import { asObject, parseJson } from './json.ts';
import { EXCERPT_LENGTH, MESSAGE_LENGTH } from './limits.ts';
import { requestIdOf, retryAfterMs, waitInWords } from './responseHeaders.ts';

export interface ErrorContext {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Epoch milliseconds, to convert a Retry-After date to a duration. */
  readonly now: number;
}

/** The number of characters that are read of a body that isn't JSON. */
const TEXT_LENGTH = 2000;

/** The error for a response whose status isn't 2xx. `text` is its body. */
export function fromErrorResponse(text: string, context: ErrorContext): ServiceError {
  const { status, headers } = context;
  if (status >= 300 && status < 400) {
    const location = headers['location'];
    return new ServiceError('redirected', {
      status,
      ...(location === undefined ? {} : { location: cut(withoutUserInfo(location), EXCERPT_LENGTH) }),
    });
  }
  const json = parseJson(text);
  const object = asObject(json);
  const body =
    decodeAnyError(json) ??
    (object === undefined
      ? findRaw(withoutScripts(cut(text, TEXT_LENGTH)))
      : decodeErrorBody({ error: { ...object, message: object['message'] || object['detail'] } }));
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
      retryAfterMs:
        retryAfterMs(context.headers, context.now) ?? waitInWords(body?.message ?? '', context.now),
      requestId: requestIdOf(context.headers),
      contentType: context.headers['content-type'],
      excerpt: text === undefined || text.trim() === '' ? undefined : text.slice(0, EXCERPT_LENGTH),
    }),
  };
  const kind = errorKindOf(body, context.status);
  // The service answers with JSON. A web page comes from something in front of it, which knows nothing about the key.
  const isOfOther = kind === 'bad-key' && isPage(text);
  return new ServiceError(isOfOther ? 'access-denied' : kind, details);
}

/** Removes the scripts of a web page, because they can contain error objects of their own. */
const withoutScripts = (page: string): string =>
  page
    .split(/<script\b/i)
    .map((part, at) =>
      at === 0
        ? part
        : part
            .split(/<\/script>/i)
            .slice(1)
            .join(''),
    )
    .join('');

const isPage = (text = ''): boolean => text.trimStart().startsWith('<');

/** The object without its undefined fields. Texts that are too long are cut off. */
function defined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const fields = Object.entries(object).map(([name, value]) => [name, cut(value, MESSAGE_LENGTH)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

const cut = <T>(value: T, length: number): T | string =>
  typeof value === 'string' && value.length > length ? `${value.slice(0, length).toWellFormed()}…` : value;
