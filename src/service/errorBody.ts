/** Finds the error in a JSON body or stream event, however gateways have wrapped it. */
import { type ErrorWords, kindInNames, kindWorded } from './errorKinds.ts';
import { asArray, asObject, asString, endOfJson, type JsonObject, parseJson } from './json.ts';

/** An error object, without the object that it was wrapped in. */
export interface ErrorBody extends ErrorWords {
  readonly didYouMean: string | undefined;
}

/**
 * Finds the error in a JSON body or stream event: `{error:{…}}`, `[{error:{…}}]`, `{error:"…"}`, `{object:"error",message}`,
 * and the service's own error inside a gateway's `metadata.raw` or `message`. Returns undefined if there is
 * none.
 */
export function decodeErrorBody(json: unknown): ErrorBody | undefined {
  return findError(json, 0);
}

/** Like `decodeErrorBody`, for a value that only its field shows to be an error. Also finds JSON within its text. */
export const decodeErrorWithin = (value: unknown): ErrorBody | undefined =>
  findError(asObject(value) ?? jsonWithin(asString(value)), 0);

// The maximum number of nested gateway errors, and of nested lists.
const MAX_NESTING = 8;

function findError(json: unknown, depth: number): ErrorBody | undefined {
  if (depth > MAX_NESTING) return undefined;
  // Some gateways put the object in a list.
  const object = asObject(asArray(json)?.[0] ?? json);
  if (object === undefined) return undefined;
  const plain = asString(object['error']);
  if (plain !== undefined && plain !== '') {
    const said = messageIn(object);
    const own = { ...object, error: undefined, message: said ?? plain };
    return innermost(own, depth, said === undefined ? undefined : plain);
  }
  const error = asObject(object['error']);
  if (error !== undefined && Object.keys(error).length > 0) {
    // Some servers put an empty error next to each answer.
    const found = innermost(error, depth);
    const says = saysAnything(error) || (found.message ?? '') !== '';
    return says || object['choices'] === undefined ? found : undefined;
  }
  const isError = object['object'] === 'error' || asString(object['type']) === 'error';
  return isError ? innermost(object, depth) : undefined;
}

/** @param plain the text of `error`, if there is a message beside it */
function innermost(error: JsonObject, depth: number, plain?: string): ErrorBody {
  const message = messageIn(error);
  const nested =
    findRaw(asObject(error['metadata'])?.['raw'], depth + 1) ??
    findError(jsonWithin(message), depth + 1) ??
    findError({ error: asObject(error['message']) ?? error['error'] }, depth + 1);
  const own: ErrorBody = {
    message: nested?.message ?? message,
    type: nested?.type ?? meaningful(error['type']),
    code: nested?.code ?? errorCodeOf(error),
    didYouMean: nested?.didYouMean ?? meaningful(error['did_you_mean']),
  };
  const { detail, details, response } = error;
  const found = [plain, detail, details, response].map((value) => errorIn(value, depth + 1));
  if (found[1] === undefined && own.message !== undefined) found.push(toText(detail));
  return found.reduce<ErrorBody>(withDetails, own);
}

/**
 * The error object of the service that some gateways pass on beside their own message. Text in its place is ignored: it is
 * usually a name.
 */
function errorIn(value: unknown, depth: number): ErrorBody | undefined {
  const object = asObject(asArray(value)?.[0] ?? value) ?? asObject(jsonWithin(asString(value)));
  if (object === undefined || depth > MAX_NESTING) return undefined;
  const isOne = messageIn(object) !== undefined && saysAnything({ ...object, message: undefined });
  const error = asObject(object['error']) ?? (isOne ? object : undefined);
  return error && innermost(error, depth);
}

/** The words of a detail that is text. A web page is ignored. */
function toText(detail: unknown): ErrorBody | undefined {
  const message = asString(detail);
  if (!message || message.startsWith('<')) return undefined;
  return { message, type: undefined, code: undefined, didYouMean: undefined };
}

/**
 * Joins an error and its details. Details say less than a message of a known kind, and are left out then. Otherwise both messages
 * are joined, and `type` and `code` are those of the details unless the error has a name of a known kind.
 */
function withDetails(outer: ErrorBody, inner: ErrorBody | undefined): ErrorBody {
  if (inner === undefined || kindWorded(outer.message ?? '') !== undefined) return outer;
  const kind = kindInNames(outer);
  const isKnown = kind !== undefined && (kind !== 'server-failed' || kindInNames(inner) === undefined);
  const { type, code } = isKnown ? outer : { type: inner.type ?? outer.type, code: inner.code ?? outer.code };
  const words = outer.message?.includes(inner.message ?? '')
    ? [outer.message]
    : [outer.message, inner.message];
  return {
    message: words.filter(Boolean).join(': ') || undefined,
    type,
    code,
    didYouMean: outer.didYouMean ?? inner.didYouMean,
  };
}

/**
 * Finds the error of the service in the raw response that a gateway adds to its own message, which only says that there was an
 * error, or in a body. The value is JSON of any shape, or text, such as an event, with or without JSON in it.
 */
export function findRaw(raw: unknown, depth = 0): ErrorBody | undefined {
  const text = asString(raw)?.trim();
  const json = text === undefined ? raw : parseJson(text);
  const message = json === undefined ? text : toMessage(json);
  const found = findError(json, depth) ?? findError(jsonWithin(message ?? text), depth);
  if (found !== undefined) return found;
  // A web page, or a single word such as “ERROR”, says less than the message around it.
  if (!message || (json === undefined && /^<|^\S+$/.test(message))) return undefined;
  return { message, type: meaningful(asObject(json)?.['type']), code: undefined, didYouMean: undefined };
}

/** The message of an error: text, or an object or a list as web frameworks send it. */
function messageIn({ message }: JsonObject): string | undefined {
  return asString(message) === undefined ? toMessage(message) : meaningful(message);
}

/** A message, or the messages of a list, joined, each with the field that it is about. */
export function toMessage(value: unknown, depth = 0): string | undefined {
  const messages = (asArray(value) ?? [value]).map((element) => {
    const object = asObject(element);
    if (object === undefined) return asString(element);
    const own = object['detail'] ?? object['message'] ?? object['msg'] ?? object['title'];
    const text =
      asString(own) ?? (depth < MAX_NESTING && asArray(own) ? toMessage(own, depth + 1) : undefined);
    const place = asArray(object['loc'])?.join('.');
    return text && place ? `${place}: ${text}` : text;
  });
  return messages.filter(Boolean).join('; ') || undefined;
}

/** Whether an error object says anything. A code of 0 alone means that nothing is wrong. */
const saysAnything = (error: JsonObject): boolean =>
  (error['message'] ?? '') !== '' ||
  meaningful(error['type']) !== undefined ||
  !['', '0'].includes(String(error['code'] ?? ''));

/** The JSON object that a gateway put into its message, between other text. */
function jsonWithin(message: string | undefined): unknown {
  const at = message?.indexOf('{') ?? -1;
  if (message === undefined || at === -1) return undefined;
  const rest = message.slice(at);
  return parseJson(rest) ?? parseJson(rest.slice(0, endOfJson(rest)));
}

/** Gateways written in Go print a missing type as `<nil>`. */
export function meaningful(value: unknown): string | undefined {
  const text = asString(value);
  return text === undefined || text === '' || text === '<nil>' ? undefined : text;
}

export function errorCodeOf(error: JsonObject): string | undefined {
  const code = error['code'];
  return typeof code === 'number' ? String(code) : meaningful(code);
}
