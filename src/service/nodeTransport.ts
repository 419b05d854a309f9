import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { untilAborted } from './abort.ts';
import { drain } from './drain.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/**
 * The default transport. Uses `node:https` as the editor patches it, so that the editor's proxy, PAC,
 * certificate, and Kerberos settings apply, without a hidden time limit (docs/service.md, On the wire).
 * `node:http` is used for `http:` addresses.
 */
export const nodeTransport: Transport = (request) =>
  // A request whose agent has no socket yet, for example during a PAC look-up, tells nothing about an abort.
  untilAborted(send(request), request.signal);

/*
 * Each connection serves one request. A server can close one that has served before at the moment in which the next
 * request goes out on it; that request would be lost, and may have been billed. An agent of our own would switch off
 * the editor's proxy in some modes of `http.proxySupport`, and `connection: close` is passed on by gateways.
 */
function send(wanted: TransportRequest): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = begin(wanted, (incoming) => {
      // Closes the connection after the response instead of giving it back to the agent.
      outgoing.shouldKeepAlive = false;
      resolve({ status: incoming.statusCode ?? 0, headers: joinHeaders(incoming), body: drain(incoming) });
    });
    outgoing.on('socket', (socket) => {
      if (outgoing.reusedSocket) {
        // Others in this process can have left it with the agent. Nothing has been written to it.
        resolve(send(wanted));
        outgoing.destroy();
      } else if (!socket.connecting) wanted.onConnected?.();
      else {
        const event = (socket as TLSSocket).encrypted ? 'secureConnect' : 'connect';
        socket.once(event, () => wanted.onConnected?.());
      }
    });
    outgoing.on('error', reject);
    settleOtherwise(outgoing, resolve, reject);
    outgoing.end(wanted.body);
  });
}

function begin(
  { method, url, headers, body, signal }: TransportRequest,
  onResponse: (incoming: IncomingMessage) => void,
): ClientRequest {
  const target = new URL(url);
  // Read from the module with each request: the editor replaces the functions on the module object, and an
  // imported function would stay the one without the editor's proxy.
  const { request } = target.protocol === 'https:' ? https : http;
  const options: RequestOptions = {
    method,
    signal,
    // Sets `content-length` because some servers of this kind refuse a chunked request body.
    headers: body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  };
  return request(target, options, onResponse);
}

/** Ends that are neither a response nor an error. */
function settleOtherwise(
  outgoing: ClientRequest,
  resolve: (response: TransportResponse) => void,
  reject: (error: Error) => void,
): void {
  outgoing.on('upgrade', (incoming, socket) => {
    // Nobody asked for another protocol, so nothing of it is read. The status tells what happened.
    socket.destroy();
    resolve({ status: incoming.statusCode ?? 0, headers: joinHeaders(incoming), body: Readable.from([]) });
  });
  outgoing.on('close', () =>
    reject(Object.assign(new Error('closed without a response'), { code: 'ECONNRESET' })),
  );
}

function joinHeaders(incoming: IncomingMessage): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}
