/** A service at the level of sockets: it reads requests, and a script writes every byte of the response. */
import { createSecureServer } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Authority } from '../unit/service/authority.ts';
import { callsOf, planOf } from './answer.ts';
import type { Fault, Stage } from './fault.ts';
import { type Ledger, newLedger, overHttp1, overHttp2, type Reply, type ReplyOptions } from './reply.ts';

export interface Service {
  readonly port: number;
  readonly ledger: Ledger;
  /** Connections that are still open. */
  open(): number;
  close(): Promise<void>;
}

export interface ServiceOptions extends Stage {
  readonly fault: Fault;
  readonly authority: Authority;
  /** Waits until the turn shows all text that was sent. */
  readonly seen: (ledger: Ledger) => Promise<void>;
  /** Called right before the fault. */
  readonly onFault: () => void;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const ledger = newLedger();
  const sockets = new Set<Socket>();
  const play = playerOf(options, ledger);
  // A connection below TLS has the same port of the client as the one above it.
  const rawOf = (socket: Socket) =>
    [...sockets].find(({ remotePort }) => remotePort === socket.remotePort) ?? socket;
  const server = createFor(options, play, rawOf);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    ledger,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

type Play = (reply: (options: ReplyOptions) => Reply) => Promise<void>;

/** Answers the request of the round of the fault with the fault, and the one before it with a call. */
function playerOf({ fault, seen, onFault, ...stage }: ServiceOptions, ledger: Ledger): Play {
  let round = 0;
  let post = 0;
  let bodyBegan = false;
  return async (replyFor) => {
    ledger.posts++;
    const calls = stage.phase === 'tool-round' && round === 0;
    if (bodyBegan) ledger.late++;
    const plan = calls ? { before: [], after: callsOf(stage.route) } : planOf(stage.phase, stage.route);
    const reply = replyFor({
      post: ++post,
      rest: plan.after,
      ledger,
      style: calls ? {} : (fault.style?.(stage) ?? {}),
      seen: () => seen(ledger),
      onHead: (status) => {
        if (status === 200 && !calls) bodyBegan = true;
      },
    });
    if (calls) {
      round++;
      post = 0;
      return reply.finish();
    }
    if (stage.phase !== 'first-byte') reply.head();
    await reply.send(plan.before);
    ledger.faultAt ??= performance.now();
    onFault();
    await fault.act?.(reply, stage);
  };
}

function createFor(
  { transport, authority: { key, cert } }: ServiceOptions,
  play: Play,
  rawOf: (socket: Socket) => Socket,
): Server {
  const onConnection = (socket: Socket) => serveHttp1(socket, rawOf(socket), play);
  if (transport === 'undici-h2') {
    const server = createSecureServer({ key, cert });
    server.on('stream', (stream) => {
      stream.on('error', () => undefined);
      const socket = stream.session?.socket as unknown as Socket;
      stream.resume();
      stream.on('end', () => void play((options) => overHttp2(stream, socket, rawOf(socket), options)));
    });
    server.on('sessionError', () => undefined);
    return server;
  }
  if (!transport.endsWith('-tls')) return createServer({ allowHalfOpen: true }, onConnection);
  const server = createTlsServer({ key, cert, ALPNProtocols: ['http/1.1'] }, onConnection);
  server.on('tlsClientError', () => undefined);
  return server;
}

/** Reads requests from a connection, as many as come. */
function serveHttp1(socket: Socket, raw: Socket, play: Play): void {
  let bytes = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('end', () => socket.end());
  socket.on('data', (part: Buffer) => {
    bytes = Buffer.concat([bytes, part]);
    for (;;) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/content-length: *(\d+)/i.exec(bytes.subarray(0, end).toString())?.[1] ?? 0);
      if (bytes.length < end + 4 + length) return;
      bytes = bytes.subarray(end + 4 + length);
      void play((options) => overHttp1(socket, raw, options));
    }
  });
}
