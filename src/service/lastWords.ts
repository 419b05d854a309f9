/** Finds errors in unusual shapes. They are known to be errors only because nothing follows them and no finish reason came before. */
import type { ErrorBody } from './errorBody.ts';
import { errorCodeOf, meaningful, toMessage } from './errorBody.ts';
import { asArray, asObject, asString } from './json.ts';

/**
 * The error that an event without a chunk may be: JSON with a message and a code, a status, or a detail, or text that names an
 * error.
 */
export function lastWordsOf(json: unknown, text: string): ErrorBody | undefined {
  const object = asObject(json);
  if (object === undefined) {
    const isWords = json === undefined && /error|fail/i.test(text) && !/^\s*[[{<]/.test(text);
    return isWords ? { message: text, type: undefined, code: undefined, didYouMean: undefined } : undefined;
  }
  const own = asObject(object['base_resp']) ?? object;
  const message = toMessage([own]) ?? asString(own['error_msg']) ?? asString(own['status_msg']);
  const numbered = errorCodeOf({ code: own['error_code'] ?? own['status_code'] ?? own['code'] });
  const code = numbered === '0' || numbered === '200' ? undefined : numbered;
  const type = meaningful(own['type']);
  const isError = own['success'] === false || /error|fail/i.test(`${type} ${own['status']}`);
  const isAlone = Object.keys(own).length === 1 && own['detail'] !== undefined;
  const isAnswer = asArray(object['choices']) !== undefined;
  if (!message || isAnswer || !(code || isError || isAlone)) return undefined;
  return { message, type, code, didYouMean: undefined };
}
