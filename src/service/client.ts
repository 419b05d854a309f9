import { untilAborted } from './abort.ts';
import { decompress } from './compression.ts';
import { createDeferred } from './deferred.ts';
import { decodeErrorBody } from './errorBody.ts';
import { fromErrorBody, fromErrorResponse } from './errorResponse.ts';
import { ServiceError } from './errors.ts';
import { parseJson } from './json.ts';
import { createKeyMask, type KeyMask } from './keyMask.ts';
import { decodeModels } from './modelList.ts';
import { toRequestHeaders } from './requestHeaders.ts';
import { requestIdOf } from './responseHeaders.ts';
import { pauseBeforeRetry } from './retry.ts';
import { readBodyText, readErrorText } from './shortBody.ts';
import { createStreamReader } from './stream.ts';
import { toNoCompletionError } from './streamErrors.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';
import { fromTransportError } from './transportError.ts';
import type { BodyStreamEvent, ChatRequest, Route } from './types.ts';
import { createWatchdog, DEFAULT_LIMITS, type SilenceLimits, type Watchdog } from './watchdog.ts';

/** The events of a completion, in order. The iteration ends when the body ends. */
export type StreamEvent =
  | { readonly type: 'try'; readonly tries: number }
  | { readonly type: 'connected' }
  /** The request is sent again after `waitMs` milliseconds (E6). */
  | { readonly type: 'pause'; readonly tries: number; readonly waitMs: number; readonly error: ServiceError }
  | { readonly type: 'headers'; readonly requestId: string | undefined }
  | BodyStreamEvent;

export interface ClientDeps {
  readonly transport: Transport;
  readonly route: Route;
  /** Sent only to the route's origin. The caller has checked that the key belongs to it. */
  readonly key: string;
  /**
   * Reads the key before each try of a completion, because the user can set another key or clear it while a turn runs. If there
   * is no key anymore, it is undefined, and nothing is sent.
   */
  readonly currentKey?: () => Promise<string | undefined>;
  readonly limits?: SilenceLimits;
  readonly random?: () => number;
  readonly now?: () => number;
  /** Waits, or rejects when the signal aborts. Replaced in tests to avoid waiting. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Client {
  /** Streams one completion. Throws a ServiceError, or the signal's reason when it aborts. */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<StreamEvent>;
  /** The ids of the models that the key may use (M1). */
  models(signal: AbortSignal): Promise<readonly string[]>;
}

export function createClient(deps: ClientDeps): Client {
  return {
    stream: (request, signal) => streamCompletion(deps, request, signal),
    models: (signal) => listModels(deps, signal),
  };
}

async function* streamCompletion(
  deps: ClientDeps,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const { response, watchdog, mask, close } = yield* connect(deps, request, signal);
  try {
    const requestId = requestIdOf(response.headers);
    yield { type: 'headers', requestId: requestId === undefined ? undefined : mask.text(requestId) };
    const reader = createStreamReader(response, watchdog, (deps.now ?? Date.now)());
    let last: readonly BodyStreamEvent[];
    try {
      for await (const part of response.body) {
        for (const event of reader.read(part)) yield mask.event(event);
        if (reader.isOver) break;
      }
      last = reader.end();
    } catch (thrown) {
      last = reader.cut(thrown);
    }
    for (const event of last) yield mask.event(event);
    if (reader.error !== undefined) throw reader.error;
  } catch (thrown) {
    signal.throwIfAborted();
    throw mask.error(toServiceError(thrown, watchdog, 'body'));
  } finally {
    close();
  }
}

/**
 * Replaces halves of surrogate pairs, for example from a line that was cut off, because strict JSON parsers refuse a body with
 * them.
 */
function toBody(request: ChatRequest): string {
  const body = JSON.stringify(request);
  // Such escapes are rare, and checking each text takes longer.
  if (!/\\ud[89a-f]/.test(body)) return body;
  return JSON.stringify(request, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}

/** An open response with a 2xx status. */
interface Connection {
  readonly response: TransportResponse;
  readonly watchdog: Watchdog;
  /** Removes the key of this request from texts of the service. */
  readonly mask: KeyMask;
  close(): void;
}

/** Sends the request until a response begins. After that, nothing is sent again. */
async function* connect(
  deps: ClientDeps,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, Connection> {
  const { random = Math.random, pause = pauseFor } = deps;
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    const key = await readKey(deps, signal);
    const mask = createKeyMask(key);
    yield { type: 'try', tries };
    const watchdog = createWatchdog(deps.limits ?? DEFAULT_LIMITS);
    // The consumer can stop iterating without aborting its signal. The connection is closed then as well.
    const left = new AbortController();
    const close = () => {
      watchdog.stop();
      left.abort();
    };
    let isOpen = false;
    let connected = false;
    try {
      const body = toBody(request);
      const response = yield* open(
        { ...deps, key },
        { method: 'POST', url: `${deps.route.root}/chat/completions`, body },
        AbortSignal.any([signal, left.signal]),
        watchdog,
        () => {
          connected = true;
        },
      );
      isOpen = true;
      return { response, watchdog, mask, close };
    } catch (thrown) {
      signal.throwIfAborted();
      const error = mask.error(toServiceError(thrown, watchdog, connected ? 'connection' : undefined));
      const waitMs = pauseBeforeRetry(error, tries, random(), deps.limits?.firstPause);
      if (waitMs === undefined) throw error;
      yield { type: 'pause', tries, waitMs, error };
      watchdog.stop();
      await pause(waitMs, signal);
    } finally {
      if (!isOpen) close();
    }
  }
}

/** An error that the service reported takes precedence over the silence that followed. */
function toServiceError(
  thrown: unknown,
  { signal }: Watchdog,
  reached?: Parameters<typeof fromTransportError>[1],
): ServiceError {
  const isSilent = signal.aborted && !(thrown instanceof ServiceError);
  return isSilent ? fromTransportError(signal.reason) : fromTransportError(thrown, reached);
}

async function readKey({ key, currentKey }: ClientDeps, signal: AbortSignal): Promise<string> {
  const current = currentKey === undefined ? key : await untilAborted(currentKey(), signal);
  if (current === undefined) throw new ServiceError('key-removed');
  return current;
}

/**
 * Sends a request and returns the response if its status is 2xx, because some gateways answer a POST with 201. Otherwise throws a
 * ServiceError.
 */
async function* open(
  deps: ClientDeps,
  request: Pick<TransportRequest, 'method' | 'url' | 'body'>,
  signal: AbortSignal,
  watchdog: Watchdog,
  onConnected?: () => void,
): AsyncGenerator<StreamEvent, TransportResponse> {
  const connected = createDeferred<void>();
  const response = deps.transport({
    ...request,
    headers: toRequestHeaders(deps.key, request.method),
    signal: AbortSignal.any([signal, watchdog.signal]),
    onConnected: connected.resolve,
  });
  // The race also handles a failure of the response that comes after a consumer stopped at `connected`.
  await Promise.race([connected.promise, response]);
  onConnected?.();
  watchdog.enter('first-byte');
  yield { type: 'connected' };
  const { status, headers, body } = decompress(await response);
  if (status >= 200 && status < 300) return { status, headers, body };
  throw fromErrorResponse(await readErrorText(body, deps.limits?.errorBody), {
    status,
    headers,
    now: (deps.now ?? Date.now)(),
  });
}

async function listModels(deps: ClientDeps, signal: AbortSignal): Promise<readonly string[]> {
  const mask = createKeyMask(deps.key);
  const watchdog = createWatchdog(deps.limits ?? DEFAULT_LIMITS);
  // Closes the connection, because the body of an error may not have ended.
  const left = new AbortController();
  try {
    const request = { method: 'GET', url: `${deps.route.root}/models` } as const;
    const opening = open(deps, request, AbortSignal.any([signal, left.signal]), watchdog);
    let step = await opening.next();
    while (!step.done) step = await opening.next();
    const text = await readBodyText(step.value.body);
    const json = parseJson(text);
    const error = decodeErrorBody(json);
    if (error !== undefined) {
      throw fromErrorBody(error, { status: 200, headers: step.value.headers, now: (deps.now ?? Date.now)() });
    }
    if (json === undefined) throw toNoCompletionError(step.value, text);
    return decodeModels(json).map(mask.text);
  } catch (thrown) {
    signal.throwIfAborted();
    throw mask.error(toServiceError(thrown, watchdog));
  } finally {
    watchdog.stop();
    left.abort();
  }
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  const waited = createDeferred<void>();
  const timer = setTimeout(waited.resolve, ms);
  try {
    await untilAborted(waited.promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
