/** Finds the errors of web frameworks in front of a service. They have no `error` field with a text or an object. */
import type { DataEvent, WholeEvent } from './bodyTypes.ts';
import {
  decodeErrorBody,
  decodeErrorWithin,
  type ErrorBody,
  errorCodeOf,
  meaningful,
  toMessage,
} from './errorBody.ts';
import { asArray, asNumber, asObject } from './json.ts';
import { lastWordsOf } from './lastWords.ts';
import { isNamedEvent } from './signsOfLife.ts';

/**
 * Finds `{"detail":…}` alone, a list of `errors`, or a message beside an error status or `"error":true`. Other events of a
 * stream, such as a ping, can also have a message or a detail.
 *
 * @param isBegun whether text has come in the same stream. Then a detail alone isn't an error: the service goes on.
 */
export function decodeFrameworkError(json: unknown, isBegun = false): ErrorBody | undefined {
  const object = asObject(json);
  if (object === undefined || WITH_DATA.some((name) => object[name] !== undefined)) return undefined;
  const listed = object['type'] === undefined ? asArray(object['errors']) : undefined;
  const isAlone = Object.keys(object).length === 1 && !isBegun;
  const within = isAlone ? decodeErrorWithin(object['detail']) : undefined;
  if (within !== undefined) return within;
  const first = asObject(listed?.[0]) ?? (isAlone ? asObject(object['detail']) : undefined) ?? object;
  const status = [object['error'], ...STATUS_FIELDS.map((name) => first[name])].find(isErrorStatus);
  const isError = status !== undefined || object['error'] === true;
  const own = isError || listed?.length ? toMessage({ ...object, loc: undefined }) : undefined;
  const list = toMessage(listed) ?? toMessage(asArray(object['error']));
  const parts = [own, list].filter((part) => part !== undefined);
  const message = parts.length > 0 ? parts.join(': ') : isAlone ? toMessage(object['detail']) : undefined;
  if (message === undefined) return undefined;
  const code =
    errorCodeOf(first) ?? errorCodeOf(object) ?? (status === undefined ? undefined : String(status));
  return { message, type: meaningful(first['type']), code, didYouMean: undefined };
}

/**
 * Finds the error in an event or body that isn't a chunk. Events with other names, and details alone after text, aren't errors:
 * the service goes on.
 *
 * @param isBegun whether text has come in the same stream
 */
export function frameworkErrorOf(
  event: DataEvent | WholeEvent,
  json: unknown,
  isBegun: boolean,
): ErrorBody | undefined {
  // Nothing follows a whole body, so it is checked like the last text of a stream.
  if (event.type === 'whole') return decodeFrameworkError(json) ?? lastWordsOf(json, '');
  return isNamedEvent(event.event)
    ? undefined
    : decodeFrameworkError(json, isBegun && event.event !== 'error');
}

/** The error in JSON that isn't a chunk, in any of the known shapes. */
export const decodeAnyError = (json: unknown): ErrorBody | undefined =>
  decodeErrorBody(json) ?? decodeFrameworkError(json);

/** JSON with one of these fields is an answer or a list, not an error. */
const WITH_DATA = ['choices', 'usage', 'data'];

const STATUS_FIELDS = ['status', 'statusCode', 'status_code', 'code'];

const isErrorStatus = (value: unknown): boolean => {
  const status = Number(typeof value === 'string' ? value : asNumber(value));
  return status >= 400 && status < 600;
};
