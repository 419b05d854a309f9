import { untilAborted } from './abort.ts';
import { decodeModels } from './decode.ts';
import { decodeErrorBody, fromErrorBody, fromErrorResponse, requestIdOf } from './errorResponse.ts';
import { ServiceError } from './errors.ts';
import { decompress } from './gzip.ts';
import { parseJson } from './json.ts';
import { pauseBeforeRetry } from './retry.ts';
import { type BodyStreamEvent, readStream, toNoCompletionError } from './stream.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';
import { fromTransportError } from './transportError.ts';
import type { ChatRequest, Route } from './types.ts';
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
    stream: (request, signal) => streamWithRetries(deps, request, signal),
    models: (signal) => listModels(deps, signal),
  };
}

async function* streamWithRetries(
  deps: ClientDeps,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const { random = Math.random, pause = pauseFor } = deps;
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    yield { type: 'try', tries };
    const watchdog = createWatchdog(deps.limits ?? DEFAULT_LIMITS);
    // The consumer can stop iterating without aborting its signal. The connection is closed then as well.
    const left = new AbortController();
    let bodyBegan = false;
    let connected = false;
    try {
      const body = JSON.stringify(request);
      const response = yield* open(
        deps,
        { method: 'POST', url: `${deps.route.root}/chat/completions`, body },
        AbortSignal.any([signal, left.signal]),
        watchdog,
        () => {
          connected = true;
        },
      );
      bodyBegan = true;
      yield { type: 'headers', requestId: requestIdOf(response.headers) };
      yield* readStream(response, watchdog, (deps.now ?? Date.now)());
      return;
    } catch (thrown) {
      signal.throwIfAborted();
      // An error that the service reported takes precedence over the silence after it.
      const silent = watchdog.signal.aborted && !(thrown instanceof ServiceError);
      const reached = bodyBegan ? 'body' : connected ? 'connection' : undefined;
      const error = withoutKey(silent ? silence(watchdog) : fromTransportError(thrown, reached), deps.key);
      const waitMs = bodyBegan
        ? undefined
        : pauseBeforeRetry(error, tries, random(), deps.limits?.firstPause);
      if (waitMs === undefined) throw error;
      yield { type: 'pause', tries, waitMs, error };
      watchdog.stop();
      await pause(waitMs, signal);
    } finally {
      watchdog.stop();
      left.abort();
    }
  }
}

/** Sends a request and returns the response if its status is 200. Throws for every other status. */
async function* open(
  deps: ClientDeps,
  request: Pick<TransportRequest, 'method' | 'url' | 'body'>,
  signal: AbortSignal,
  watchdog: Watchdog,
  onConnected?: () => void,
): AsyncGenerator<StreamEvent, TransportResponse> {
  const connected = Promise.withResolvers<void>();
  const response = deps.transport({
    ...request,
    headers: headersFor(deps.key, request.method),
    signal: AbortSignal.any([signal, watchdog.signal]),
    onConnected: connected.resolve,
  });
  // A consumer that stops after `connected` never awaits the response, so its failure would be unhandled.
  response.catch(() => undefined);
  await Promise.race([connected.promise, response]);
  onConnected?.();
  watchdog.enter('first-byte');
  yield { type: 'connected' };
  const { status, headers, body } = decompress(await response);
  if (status === 200) return { status, headers, body };
  throw fromErrorResponse(await readText(within(body, deps.limits?.errorBody ?? ERROR_BODY_MS), true), {
    status,
    headers,
    now: (deps.now ?? Date.now)(),
  });
}

function headersFor(key: string, method: 'GET' | 'POST'): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    accept: method === 'POST' ? 'text/event-stream, application/json' : 'application/json',
    'accept-encoding': 'identity',
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
  };
}

async function listModels(deps: ClientDeps, signal: AbortSignal): Promise<readonly string[]> {
  const watchdog = createWatchdog(deps.limits ?? DEFAULT_LIMITS);
  try {
    const opening = open(deps, { method: 'GET', url: `${deps.route.root}/models` }, signal, watchdog);
    let step = await opening.next();
    while (!step.done) step = await opening.next();
    const text = await readText(step.value.body);
    const json = parseJson(text);
    const error = decodeErrorBody(json);
    if (error !== undefined) {
      throw fromErrorBody(error, { status: 200, headers: step.value.headers, now: (deps.now ?? Date.now)() });
    }
    if (json === undefined) throw toNoCompletionError(step.value, text.slice(0, 400));
    return decodeModels(json);
  } catch (thrown) {
    signal.throwIfAborted();
    const silent = watchdog.signal.aborted && !(thrown instanceof ServiceError);
    throw withoutKey(silent ? silence(watchdog) : fromTransportError(thrown), deps.key);
  } finally {
    watchdog.stop();
  }
}

function silence(watchdog: Watchdog): ServiceError {
  return fromTransportError(watchdog.signal.reason);
}

/**
 * Time limit for reading the body of an error response, in milliseconds. The status alone is usually enough.
 */
const ERROR_BODY_MS = 10_000;

/** The part of a body that arrives within the time limit. */
async function* within(bytes: AsyncIterable<Uint8Array>, ms: number): AsyncGenerator<Uint8Array> {
  const parts = bytes[Symbol.asyncIterator]();
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  try {
    for (;;) {
      const next = parts.next();
      // After the time limit, nobody awaits this read.
      next.catch(() => undefined);
      const step = await Promise.race([next, late.promise]);
      if (!step || step.done === true) return;
      yield step.value;
    }
  } finally {
    clearTimeout(timer);
  }
}

const SHORTEST_KEY = 6;

/**
 * Removes the key from the error. Some servers repeat it in their message, which is shown, stored, and
 * copied.
 */
function withoutKey(error: ServiceError, key: string): ServiceError {
  if (key.length < SHORTEST_KEY || !JSON.stringify(error.details).includes(key)) return error;
  const details = Object.fromEntries(
    Object.entries(error.details).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(key, '•••') : value,
    ]),
  );
  return new ServiceError(error.kind, details, error.cause);
}

/** The maximum length of an error body or a model list, in characters. */
const MAX_BODY_LENGTH = 4 * 1024 * 1024;

/** @param cutIsFine a body that breaks off is returned as far as it arrived, because the status is enough */
async function readText(bytes: AsyncIterable<Uint8Array>, cutIsFine = false): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const part of bytes) {
      text += decoder.decode(part, { stream: true });
      if (text.length > MAX_BODY_LENGTH) break;
    }
  } catch (thrown) {
    if (!cutIsFine) throw thrown;
  }
  return text + decoder.decode();
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  const waited = Promise.withResolvers<void>();
  const timer = setTimeout(waited.resolve, ms);
  try {
    await untilAborted(waited.promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
