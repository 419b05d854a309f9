/** Test data for the wire: events as bytes, scripted transports, and servers on this computer. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createBodyReader } from '../../../src/service/body.ts';
import type { BodyEvent } from '../../../src/service/bodyTypes.ts';
import { createClient, type StreamEvent } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { createStreamReader } from '../../../src/service/stream.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../../src/service/transport.ts';
import type { BodyStreamEvent, ChatRequest, Chunk, Route } from '../../../src/service/types.ts';
import { createWatchdog, type SilenceLimits, type Watchdog } from '../../../src/service/watchdog.ts';

export const ROUTE: Route = {
  name: 'direct',
  kind: 'direct',
  root: 'http://127.0.0.1:9/v1',
  origin: 'http://127.0.0.1:9',
  model: 'svc-k3',
};

export const REQUEST: ChatRequest = {
  model: 'svc-k3',
  messages: [{ role: 'user', content: 'Why?' }],
  stream: true,
  stream_options: { include_usage: true },
};

export const NEVER = new AbortController().signal;

/** One chunk as the service writes it. `delta` is in the first choice. */
export function chunkOf(delta: object, finishReason: string | null = null): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'svc-k3',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}

export const USAGE = {
  prompt_tokens: 2000,
  completion_tokens: 50,
  total_tokens: 2050,
  completion_tokens_details: { reasoning_tokens: 40 },
  prompt_tokens_details: { cached_tokens: 1792 },
};

export const USAGE_CHUNK = { id: 'chatcmpl-1', model: 'svc-k3', choices: [], usage: USAGE };

/** Events as text, each with its blank line. Strings are sent unchanged, everything else as JSON. */
export function sse(...events: readonly (object | string)[]): string {
  return events
    .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
    .join('');
}

/** A complete stream: reasoning, answer, finish reason, usage, `[DONE]`. */
export const COMPLETE = sse(
  chunkOf({ role: 'assistant', content: '' }),
  chunkOf({ reasoning_content: 'Let me ' }),
  chunkOf({ reasoning_content: 'think.' }),
  chunkOf({ content: 'Because ' }),
  chunkOf({ content: '\u00e9\u4f60\u{1f600}.' }),
  chunkOf({}, 'stop'),
  USAGE_CHUNK,
  '[DONE]',
);

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The pieces as a body. An error among them breaks it off there. */
export async function* bytesOf(
  ...pieces: readonly (string | Uint8Array | Error)[]
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Error) throw piece;
    yield typeof piece === 'string' ? utf8(piece) : piece;
  }
}

export async function collect<T>(from: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of from) all.push(one);
  return all;
}

/** Everything before the end, and the error that ended it, if any. */
export async function collectUntilError<T>(
  from: AsyncIterable<T>,
): Promise<{ all: T[]; error: unknown | undefined }> {
  const all: T[] = [];
  try {
    for await (const one of from) all.push(one);
  } catch (error) {
    return { all, error };
  }
  return { all, error: undefined };
}

export const WIDE_LIMITS: SilenceLimits = {
  connecting: 60_000,
  'first-byte': 60_000,
  reasoning: 60_000,
  answering: 60_000,
};

/** The events of a body, one batch for each read, and one for its end. */
export async function* readBody(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly BodyEvent[]> {
  let batch: BodyEvent[] = [];
  const reader = createBodyReader((event) => batch.push(event));
  const take = () => {
    const taken = batch;
    batch = [];
    return taken;
  };
  try {
    for await (const part of bytes) {
      reader.read(part);
      yield take();
    }
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) reader.cut();
    yield take();
    throw thrown;
  }
  reader.end();
  yield take();
}

/** The events of a response, read as the client does. Throws its error. */
export async function* readStream(
  response: TransportResponse,
  watchdog: Watchdog,
): AsyncGenerator<BodyStreamEvent> {
  const reader = createStreamReader(response, watchdog, 0);
  let last: readonly BodyStreamEvent[];
  try {
    for await (const part of response.body) {
      yield* reader.read(part);
      if (reader.isOver) break;
    }
    last = reader.end();
  } catch (thrown) {
    last = reader.cut(thrown);
  }
  yield* last;
  if (reader.error !== undefined) throw reader.error;
}

/** The events of a 200 response with this body. */
export async function readBodyOf(
  body: AsyncIterable<Uint8Array> | string,
  contentType = 'text/event-stream',
): Promise<{ events: StreamEvent[]; error: unknown | undefined }> {
  const watchdog = createWatchdog(WIDE_LIMITS);
  try {
    const response = {
      status: 200,
      headers: { 'content-type': contentType },
      body: typeof body === 'string' ? bytesOf(body) : body,
    };
    const { all, error } = await collectUntilError<StreamEvent>(readStream(response, watchdog));
    return { events: all, error };
  } finally {
    watchdog.stop();
  }
}

export const chunksOf = (events: readonly StreamEvent[]): Chunk[] =>
  events.flatMap((event) => (event.type === 'chunk' ? [event.chunk] : []));

/** Reasoning, answer, and the rest of the events, joined, so that the split doesn't matter. */
export function sumOf(events: readonly StreamEvent[]): object {
  let reasoning = '';
  let answer = '';
  let finish: string | undefined;
  let total: number | undefined;
  let done = 0;
  let damaged = 0;
  for (const event of events) {
    if (event.type === 'done') done++;
    if (event.type === 'damaged') damaged++;
    if (event.type === 'tag-closed' && event.wasReasoning) {
      reasoning += answer;
      answer = '';
    }
    if (event.type !== 'chunk') continue;
    reasoning += event.chunk.reasoning?.text ?? '';
    answer += event.chunk.answer;
    finish = event.chunk.finishReason ?? finish;
    total = event.chunk.usage?.totalTokens ?? total;
  }
  return { reasoning, answer, finish, total, done, damaged };
}

/** A scripted response: status, headers, and the pieces of the body. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | readonly (string | Uint8Array | Error)[];
}

/** A transport that returns these responses in turn and records the requests. An Error is thrown instead. */
export function scripted(...replies: readonly (Reply | Error)[]): Transport & {
  readonly requests: TransportRequest[];
} {
  const requests: TransportRequest[] = [];
  const send: Transport = async (request) => {
    requests.push(request);
    const reply = replies[requests.length - 1];
    if (reply === undefined) throw new Error(`no reply for request ${requests.length}`);
    if (reply instanceof Error) throw reply;
    request.onConnected?.();
    const body = reply.body ?? '';
    return {
      status: reply.status ?? 200,
      headers: reply.headers ?? {},
      body: typeof body === 'string' ? bytesOf(body) : bytesOf(...body),
    };
  };
  return Object.assign(send, { requests });
}

export interface Played {
  readonly events: StreamEvent[];
  readonly error: unknown;
  readonly waits: number[];
}

/** Streams one request with a transport, without waiting for the pauses. */
export async function play(
  transport: Transport,
  route: Route = ROUTE,
  request: ChatRequest = REQUEST,
): Promise<Played> {
  const waits: number[] = [];
  const client = createClient({
    transport,
    route,
    key: 'sk-secret',
    random: () => 0,
    now: () => 0,
    pause: async (ms) => void waits.push(ms),
  });
  const { all, error } = await collectUntilError(client.stream(request, NEVER));
  return { events: all, error, waits };
}

export function kindOf(error: unknown): string {
  return error instanceof ServiceError ? error.kind : `not a ServiceError: ${String(error)}`;
}

export interface LocalServer {
  readonly port: number;
  readonly origin: string;
  readonly server: Server;
  readonly sockets: Set<Socket>;
  close(): Promise<void>;
}

/** A server on a free port of this computer. It can be closed while connections are open. */
export async function serve(listener: RequestListener): Promise<LocalServer> {
  return listen(createServer(listener), 'http');
}

export async function listen(server: Server, scheme: string): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${scheme}://127.0.0.1:${port}`,
    server,
    sockets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export function routeTo(origin: string): Route {
  return { ...ROUTE, origin, root: `${origin}/v1` };
}
