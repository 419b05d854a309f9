/** HTTP without the rules: listens, closes, reads a request, sends a refusal. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Json } from './json.ts';
import type { Judge } from './judge.ts';
import type { Refusal } from './refusals.ts';

export type ForeignRequest = {
  /** Counted from 1, in the order of arrival. Used in the violations. */
  number: number;
  /** Milliseconds, from `performance.now()`. */
  at: number;
  method: string;
  /** Path and query as they arrived. */
  path: string;
  headers: Record<string, string>;
  /** The raw body ('' if there is none), and its JSON if it is valid. */
  text: string;
  body: Json | undefined;
  /** Names of the markers in the request. */
  markers: string[];
  /** The status of the response, or 0 before it is sent. */
  status: number;
  /** Whether the client or a marker closed the connection before the response was complete. */
  unfinished: boolean;
};

/** Sends a complete body, with a number that identifies the request. */
export function respond(
  request: ForeignRequest,
  response: ServerResponse,
  { status, headers, body }: Pick<Refusal, 'status' | 'headers' | 'body'>,
): void {
  request.status = status;
  response.writeHead(status, { 'x-request-id': `desk-${request.number}`, ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** @returns the address, without a slash at its end */
export async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
}

export async function shut(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

export async function textOfBody(message: IncomingMessage, judge: Judge): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) {
    pieces.push(piece as Buffer);
  }
  const bytes = Buffer.concat(pieces);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) {
    judge.wrong('the body is not UTF-8');
  }
  return text;
}

/** The data of a request that is known before its body is read. */
export function requestOf(message: IncomingMessage, number: number): ForeignRequest {
  const { method = '', url: path = '' } = message;
  const headers = Object.entries(message.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return {
    number,
    at: performance.now(),
    method,
    path,
    headers: Object.fromEntries(headers),
    text: '',
    body: undefined,
    markers: [],
    status: 0,
    unfinished: false,
  };
}
