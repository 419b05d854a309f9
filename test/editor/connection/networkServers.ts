/** Servers of a network as companies have it: a proxy, and services whose certificates a private authority signed. */
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';

/** The certificate of the authority that the editor was started with, as its system store (scripts/testEditor.mjs). */
export const AUTHORITY_FILE = process.env['K3_TEST_AUTHORITY'] ?? '';

/** What the authority has signed, for `*.k3.example` and some IP addresses. */
function readCertificate() {
  const folder = dirname(AUTHORITY_FILE);
  return { cert: readFileSync(join(folder, 'service.pem')), key: readFileSync(join(folder, 'service.key')) };
}

/** What a server has seen of a request: the version of HTTP, and the headers. */
export interface Seen {
  readonly version: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
}

export interface Running {
  readonly port: number;
  close(): Promise<void>;
}

type Responder = (response: ServerResponse) => void;

async function listen(server: net.Server, host: string): Promise<Running> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)));
  });
  server.on('tlsClientError', () => undefined);
  server.on('sessionError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Service extends Running {
  readonly seen: Seen[];
  respond: Responder;
}

export type Protocol = 'http' | 'https' | 'h2 only' | 'h2 and http/1.1';

/** A service that answers as `respond` says, and records its requests. */
export async function startService(
  protocol: Protocol,
  respond: Responder,
  host = '0.0.0.0',
): Promise<Service> {
  const seen: Seen[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    seen.push({ version: request.httpVersion, url: request.url ?? '', headers: request.headers });
    request.resume().on('end', () => service.respond(response));
  };
  // Without a session that is resumed: each connection checks the certificate.
  const secure = { ...readCertificate(), sessionTimeout: 1 };
  const server =
    protocol === 'http'
      ? http.createServer(answer)
      : protocol === 'https'
        ? https.createServer(secure, answer)
        : http2.createSecureServer({ ...secure, allowHTTP1: protocol !== 'h2 only' });
  if (protocol.startsWith('h2')) server.on('request', answer);
  const service: Service = { ...(await listen(server, host)), seen, respond };
  return service;
}

/** What the proxy does with a request, when it does not pass it on. */
export type ProxyMode =
  | { readonly kind: 'passes' }
  | { readonly kind: 'wants'; readonly login: string }
  | { readonly kind: 'returns'; readonly status: number; readonly text: string }
  /** Until `release`; tunnels only. */
  | { readonly kind: 'hangs' }
  | { readonly kind: 'closes' };

export interface ProxyServer extends Running {
  /** The requests, such as `CONNECT svc.example:443` and `POST http://svc.example/v1/chat/completions`. */
  readonly asked: string[];
  /** All that clients have sent, so that a test can look for a key in it. */
  readonly received: Buffer[];
  mode: ProxyMode;
  /** Lets go the requests that hang: opens their tunnels. */
  release(): void;
  /** Breaks off all open tunnels. */
  cut(): void;
}

/** A proxy that passes requests for any host to these ports of this computer, by the name of the host. */
export async function startProxy(
  portOf: (host: string, port: number) => number,
  secure = false,
): Promise<ProxyServer> {
  const asked: string[] = [];
  const received: Buffer[] = [];
  const tunnels = new Set<Duplex>();
  const hanging: (() => void)[] = [];
  const note = (request: IncomingMessage) => {
    asked.push(`${request.method} ${request.url}`);
    received.push(Buffer.from(JSON.stringify(request.headers)));
  };
  const refusal = (request: IncomingMessage) => {
    const { mode } = proxy;
    if (mode.kind === 'returns') return { status: mode.status, text: mode.text };
    if (mode.kind !== 'wants' || request.headers['proxy-authorization'] === mode.login) return undefined;
    return { status: 407, text: 'who are you?' };
  };
  const server = secure ? https.createServer(readCertificate()) : http.createServer();
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    note(request);
    socket.on('error', () => undefined);
    if (proxy.mode.kind === 'closes') return void socket.destroy();
    const refused = refusal(request);
    if (refused !== undefined) {
      const wants = refused.status === 407 ? 'proxy-authenticate: Basic realm="company"\r\n' : '';
      return void socket.end(
        `HTTP/1.1 ${refused.status} No\r\n${wants}content-length: ${refused.text.length}\r\n\r\n${refused.text}`,
      );
    }
    const open = () => {
      const wanted = new URL(`http://${request.url}`);
      const target = net.connect(portOf(wanted.hostname, Number(wanted.port || 80)), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        target.write(head);
        socket.on('data', (part: Buffer) => received.push(part));
        target.pipe(socket).pipe(target);
      });
      tunnels.add(socket).add(target);
      target.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      socket.on('close', () => target.destroy());
    };
    if (proxy.mode.kind === 'hangs') hanging.push(open);
    else open();
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    note(request);
    if (proxy.mode.kind === 'closes') return void request.socket.destroy();
    const refused = refusal(request);
    if (refused !== undefined) {
      const wants = refused.status === 407 ? { 'proxy-authenticate': 'Basic realm="company"' } : {};
      return void response.writeHead(refused.status, wants).end(refused.text);
    }
    const wanted = new URL(request.url ?? '');
    const onward = http.request(
      {
        host: '127.0.0.1',
        port: portOf(wanted.hostname, Number(wanted.port || 80)),
        path: wanted.pathname,
        method: request.method ?? 'GET',
        headers: request.headers,
        agent: new http.Agent(),
      },
      (incoming) => {
        response.writeHead(incoming.statusCode ?? 0, incoming.headers);
        incoming.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const running = await listen(server, '127.0.0.1');
  const proxy: ProxyServer = {
    ...running,
    asked,
    received,
    mode: { kind: 'passes' },
    release: () => {
      for (const open of hanging.splice(0)) open();
    },
    cut: () => {
      for (const end of tunnels) end.destroy();
      tunnels.clear();
    },
  };
  return proxy;
}
