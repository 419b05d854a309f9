import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { type ConnectionOptions, checkServerIdentity, type TLSSocket } from 'node:tls';
import { untilAborted } from './abort.ts';
import { drain } from './drain.ts';
import { ServiceError } from './errors.ts';
import { MAX_HEADERS_LENGTH } from './limits.ts';
import { joinHeaders } from './responseHeaders.ts';
import { readAuthority } from './routeNetwork.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';
import { ProxyError } from './transportError.ts';
import type { RouteNetwork } from './types.ts';

type TlsOptions = Pick<ConnectionOptions, 'ca' | 'ALPNProtocols' | 'checkServerIdentity'>;

/**
 * Creates the default transport. It uses `node:https` as the editor patches it, so that the editor's proxy, PAC, certificate, and
 * Kerberos settings apply, without a hidden time limit (docs/service.md, On the wire). `node:http` is used for `http:` addresses.
 * A route's own certificate authority replaces all others. Throws an error that names `network.caFile` if that file can't be
 * used.
 */
export function createNodeTransport({ caFile }: Pick<RouteNetwork, 'caFile'>): Transport {
  const ca = caFile === undefined ? undefined : readAuthority(caFile);
  return (request) =>
    // A request whose agent has no socket yet, for example during a PAC lookup, doesn't report an abort.
    untilAborted(send(request, ca), request.signal);
}

export const nodeTransport: Transport = createNodeTransport({});

/*
 * Each connection serves one request. A server can close one that has served before at the moment in which the next
 * request goes out on it; that request would be lost, and may have been billed. An agent of our own would switch off
 * the editor's proxy in some modes of `http.proxySupport`, and `connection: close` is passed on by gateways.
 */
function send(wanted: TransportRequest, ca: string | undefined): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined;
    let failure: Error | undefined;
    const outgoing = begin(wanted, ca, (incoming) => {
      response = incoming;
      // Closes the connection after the response instead of giving it back to the agent.
      outgoing.shouldKeepAlive = false;
      const status = incoming.statusCode ?? 0;
      if (isOfProxy(wanted, incoming)) {
        reject(new ServiceError('proxy-refused', { status, proxy: true }));
        return void incoming.destroy();
      }
      resolve({ status, headers: joinHeaders(incoming.headers), body: drain(incoming, () => failure) });
    });
    outgoing.on('socket', (socket) => {
      if (outgoing.reusedSocket) {
        // Other code in this process can have left this socket with the agent. Nothing has been written to it, so the request is
        // sent again.
        resolve(send(wanted, ca));
        outgoing.destroy();
      } else if (!socket.connecting) wanted.onConnected?.();
      else {
        const event = (socket as TLSSocket).encrypted ? 'secureConnect' : 'connect';
        socket.once(event, () => wanted.onConnected?.());
      }
    });
    let atProxy: unknown;
    // An event of the editor's agent. The error of the request says only that no proxy works; this event says why.
    outgoing.on('proxy', (tried: { readonly error?: unknown }) => {
      atProxy = tried.error;
    });
    outgoing.on('error', (error) => {
      // Node considers a body without a length complete when its connection ends, however it ends.
      if (response?.complete === false) failure = error;
      reject(atProxy === undefined ? error : new ProxyError(error.message, atProxy));
    });
    settleOtherwise(outgoing, resolve, reject);
    outgoing.end(wanted.body);
  });
}

/**
 * Whether a response comes from the proxy. If a proxy refuses to open a tunnel, the editor's agent returns its response; the
 * service would have answered over TLS. Then the request was sent to neither of them.
 */
function isOfProxy({ url }: TransportRequest, { socket }: IncomingMessage): boolean {
  return url.startsWith('https:') && !('encrypted' in socket);
}

function begin(
  { method, url, headers, body, signal }: TransportRequest,
  ca: string | undefined,
  onResponse: (incoming: IncomingMessage) => void,
): ClientRequest {
  const target = new URL(url);
  // Read from the module with each request: the editor replaces the functions on the module object, and an
  // imported function would stay the one without the editor's proxy.
  const { request } = target.protocol === 'https:' ? https : http;
  const options: RequestOptions = {
    method,
    signal,
    maxHeaderSize: MAX_HEADERS_LENGTH,
    // Sets `content-length` because some servers of this kind refuse a chunked request body.
    headers: body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    ...(target.protocol === 'https:' ? toTlsOptions(target, ca) : {}),
  };
  return request(target, options, onResponse);
}

/** The TLS options that the editor's agent leaves out for a connection through a proxy. */
function toTlsOptions({ hostname }: URL, ca: string | undefined): TlsOptions {
  const address = hostname.replace(/^\[|\]$/g, '');
  return {
    ...(ca === undefined ? {} : { ca }),
    // With this, a server that supports only HTTP/2 ends the handshake with an error that can be recognized.
    ALPNProtocols: ['http/1.1'],
    // An IP address isn't a server name, and without a server name, the agent expects the certificate of `localhost`.
    ...(isIP(address) === 0
      ? {}
      : { checkServerIdentity: (_: string, certificate) => checkServerIdentity(address, certificate) }),
  };
}

/** Settles the promise at ends that are neither a response nor an error. */
function settleOtherwise(
  outgoing: ClientRequest,
  resolve: (response: TransportResponse) => void,
  reject: (error: Error) => void,
): void {
  outgoing.on('upgrade', (incoming, socket) => {
    // K3 didn't ask for another protocol, so nothing is read from the socket. The status shows what happened.
    socket.destroy();
    resolve({
      status: incoming.statusCode ?? 0,
      headers: joinHeaders(incoming.headers),
      body: Readable.from([]),
    });
  });
  outgoing.on('close', () =>
    reject(Object.assign(new Error('closed without a response'), { code: 'ECONNRESET' })),
  );
}
