import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Transport } from './transport.ts';

/**
 * The default transport. Uses `node:https` as the editor patches it, so that the editor's proxy, PAC,
 * certificate, and Kerberos settings apply, without a hidden time limit (docs/service.md, On the wire).
 * `node:http` is used for `http:` addresses.
 */
export const nodeTransport: Transport = ({ method, url, headers, body, signal, onConnected }) =>
  new Promise((resolve, reject) => {
    const target = new URL(url);
    // Read from the module with each request: the editor replaces the functions on the module object, and an
    // imported function would stay the one without the editor's proxy.
    const { request } = target.protocol === 'https:' ? https : http;
    const options: RequestOptions = {
      method,
      signal,
      // Sets `content-length` because some servers of this kind refuse a chunked request body.
      headers:
        body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    };
    const outgoing = request(target, options, (incoming) => {
      resolve({
        status: incoming.statusCode ?? 0,
        headers: joinHeaders(incoming),
        body: incoming,
      });
    });
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) onConnected?.();
      else socket.once((socket as TLSSocket).encrypted ? 'secureConnect' : 'connect', () => onConnected?.());
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

function joinHeaders(incoming: IncomingMessage): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}
