/** A simple HTTP client that reports what was sent and how it ended. It shares no code with the extension. */
import { request } from 'node:http';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator/server.ts';

export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
  readonly text: string;
  /** `cut`: the body ended before its declared end. `no-reply`: the connection broke before the headers. */
  readonly ending: 'whole' | 'cut' | 'no-reply' | 'timeout';
  /** Number of chunks in which the body arrived. */
  readonly pieces: number;
}

export interface Ask {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds after which the client disconnects. */
  readonly patience?: number;
}

/** Starts an emulator without a pace limit. */
export function startFast(options: Partial<EmulatorOptions> = {}): Promise<Emulator> {
  return startEmulator({
    port: 0,
    route: 'direct',
    key: 'key-of-the-test',
    tokensPerSecond: Number.POSITIVE_INFINITY,
    ...options,
  });
}

/** Sends a body, as JSON unless it is a string, with the correct key unless other headers are given. */
export function ask(emulator: Emulator, body: unknown, options: Ask = {}): Promise<WireReply> {
  const { path = '/v1/chat/completions', method = 'POST', patience = 10_000 } = options;
  const headers = {
    authorization: `Bearer ${emulator.key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...options.headers,
  };
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let status = 0;
    let replyHeaders: Readonly<Record<string, unknown>> = {};
    const finish = (ending: WireReply['ending']): void => {
      clearTimeout(timer);
      outgoing.destroy();
      const whole = Buffer.concat(pieces);
      resolve({
        status,
        headers: replyHeaders,
        body: whole,
        text: whole.toString('utf8'),
        ending,
        pieces: pieces.length,
      });
    };
    const timer = setTimeout(() => finish('timeout'), patience);
    const outgoing = request(`${emulator.url}${path}`, { method, headers, agent: false }, (reply) => {
      status = reply.statusCode ?? 0;
      replyHeaders = reply.headers;
      reply.on('data', (piece: Buffer) => pieces.push(piece));
      reply.on('end', () => finish('whole'));
      reply.on('error', () => finish('cut'));
    });
    outgoing.on('error', () => finish(status === 0 ? 'no-reply' : 'cut'));
    outgoing.end(typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body));
  });
}

export interface Question {
  readonly [field: string]: unknown;
}

/** The smallest request, with additional fields. */
export function question(fields: Question = {}): Question {
  return { model: 'svc-k3', messages: [{ role: 'user', content: 'What is a monad?' }], ...fields };
}

/** The smallest streaming request with usage. */
export function streamed(fields: Question = {}): Question {
  return question({ stream: true, stream_options: { include_usage: true }, ...fields });
}

/** JSON with unchecked field types. */
export interface Json {
  readonly [field: string]: Json;
}

export function toJson(text: string): Json {
  return JSON.parse(text);
}

/** The data of the events of a valid stream. */
export function eventsOf(text: string): readonly string[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => block.slice('data: '.length));
}

export function chunksOf(text: string): readonly Json[] {
  return eventsOf(text)
    .filter((data) => data !== '[DONE]')
    .map(toJson);
}

/** The strings of one field of all deltas, joined. */
export function joined(text: string, field: string): string {
  return chunksOf(text)
    .map((chunk) => chunk['choices']?.[0]?.['delta']?.[field] ?? '')
    .join('');
}

/** The last usage in a stream. */
export function usageOf(text: string): Json | undefined {
  return chunksOf(text).findLast((chunk) => chunk['usage'] !== undefined)?.['usage'];
}
