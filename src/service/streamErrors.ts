/** The errors in the body of a 200 response. */
import { choiceOf } from './answerChoice.ts';
import { encodingOf } from './compression.ts';
import { decodeErrorBody, type ErrorBody, errorCodeOf, findRaw } from './errorBody.ts';
import { ServiceError } from './errors.ts';
import { asObject } from './json.ts';
import { EXCERPT_LENGTH } from './limits.ts';
import type { TransportResponse } from './transport.ts';

/** The error that some gateways put into the choice, beside its finish reason, or into the field of a vendor. */
export function errorOfChoice(own: unknown): ErrorBody | undefined {
  const { choices, x_groq: ofVendor } = asObject(own) ?? {};
  return decodeErrorBody({ choices, error: choiceOf(own)?.['error'] ?? asObject(ofVendor)?.['error'] });
}

/** The error for `event: error` with a message of unknown shape. */
export function bareError(json: unknown, text: string): ErrorBody {
  const found = findRaw(text) ?? { message: text, type: undefined, code: undefined, didYouMean: undefined };
  return { ...found, code: found.code ?? errorCodeOf(asObject(json) ?? {}) };
}

export function toNoCompletionError(
  response: Pick<TransportResponse, 'status' | 'headers'>,
  text: string,
): ServiceError {
  const contentType = response.headers['content-type'];
  const excerpt = text.slice(0, EXCERPT_LENGTH);
  // If readable text came although the headers name a compression, the compression isn't the cause.
  const contentEncoding = /[\p{Cc}\ufffd]/u.test(excerpt.replace(/\s/g, ''))
    ? encodingOf(response.headers)
    : undefined;
  return new ServiceError('not-a-completion', {
    status: response.status,
    ...(contentType === undefined ? {} : { contentType }),
    ...(contentEncoding === undefined ? {} : { contentEncoding }),
    ...(excerpt === '' || contentEncoding !== undefined ? {} : { excerpt }),
  });
}
