/** A service at the level of sockets, which reads requests. A script writes every byte of the response. */
import { createSecureServer } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Authority } from '../unit/service/authority.ts';
import { callsOf, planOf, type StreamedEvent } from './answer.ts';
import { openTo } from './clientSockets.ts';
import { BEFORE_HEAD, type Fault, type Phase, type Stage } from './fault.ts';
import { ownNow } from './ownTime.ts';
import {
  type Ledger,
  newLedger,
  overHttp1,
  overHttp2,
  type Reply,
  type ReplyOptions,
  type Style,
} from './reply.ts';

export interface Service {
  readonly port: number;
  /** The record of the data that was sent for the current fault. */
  readonly ledger: Ledger;
  /** Uses another fault from the next request on. */
  next(fault: Fault, phase: Phase): void;
  /** Whether the turn has come to the round of the fault. */
  inRound(): boolean;
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
  const ledgerFor = (phase: Phase) => newLedger(!phase.startsWith('tool-'));
  let ledger = ledgerFor(options.phase);
  const sockets = new Set<Socket>();
  let play = playerOf(options, ledger);
  // A connection below TLS has the same client port as the connection above it.
  const rawOf = (socket: Socket) =>
    [...sockets].find(({ remotePort }) => remotePort === socket.remotePort) ?? socket;
  const server = createFor(options, (reply) => play(reply), rawOf);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get ledger() {
      return ledger;
    },
    next(fault, phase) {
      ledger = ledgerFor(phase);
      play = playerOf({ ...options, fault, phase }, ledger);
    },
    inRound: () => ledger.roundBegan,
    open: () => Math.min(sockets.size, openTo((server.address() as AddressInfo).port)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

type Play = (reply: (options: ReplyOptions) => Reply) => Promise<void>;

/**
 * Answers the request of the round of the fault with the fault. Before a round after a tool, it calls the tool; after a
 * call that was finished in spite of the fault, it answers.
 */
function playerOf({ fault, seen, onFault, ...stage }: ServiceOptions, ledger: Ledger): Play {
  const { phase, route } = stage;
  const script = fault.style?.(stage) ?? {};
  let before = !ledger.roundBegan;
  /** Whether the round of the fault has begun, and whether it has ended correctly. */
  let began = false;
  let over = false;
  let post = 0;
  let bodyBegan = false;

  const reply = (replyFor: Parameters<Play>[0], rest: readonly StreamedEvent[], style: Style) =>
    replyFor({
      post: ++post,
      rest,
      ledger,
      style,
      seen: () => seen(ledger),
      onHead(status) {
        if (status === 200) bodyBegan = true;
      },
      onFinish() {
        bodyBegan = false;
        ledger.roundBegan = true;
        post = 0;
        over = began && phase === 'arguments';
      },
    });

  return async (replyFor) => {
    ledger.posts++;
    if (bodyBegan) ledger.late++;
    if (before) {
      before = false;
      return reply(replyFor, callsOf(route), {}).finish();
    }
    // The next round answers.
    if (over) return reply(replyFor, planOf('headers', route).after, {}).finish();
    began = true;
    const { change = (events) => events } = script;
    const plan = planOf(phase, route);
    const own = reply(replyFor, change(plan.after), fault.style?.(stage) ?? {});
    if (!BEFORE_HEAD.includes(phase) && phase !== 'connecting') own.head();
    await own.send(change(plan.before));
    ledger.faultAt ??= ownNow();
    onFault();
    await (fault.act === undefined ? own.finish() : fault.act(own, stage));
    ledger.lastAt = ownNow();
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

/**
 * Reads a request from a connection. The next request on the same connection is lost, as if the service closed a
 * connection after its first request. Requests other than POST are answered, and the connection is kept.
 */
function serveHttp1(socket: Socket, raw: Socket, play: Play): void {
  let bytes = Buffer.alloc(0);
  let served = 0;
  socket.on('error', () => undefined);
  socket.on('end', () => socket.end());
  socket.on('data', (part: Buffer) => {
    bytes = Buffer.concat([bytes, part]);
    for (;;) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = bytes.subarray(0, end).toString();
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (bytes.length < end + 4 + length) return;
      bytes = bytes.subarray(end + 4 + length);
      if (served++ > 0) raw.resetAndDestroy();
      else if (head.startsWith('POST')) void play((options) => overHttp1(socket, raw, options));
      else socket.write('HTTP/1.1 204 No Content\r\nconnection: keep-alive\r\n\r\n');
    }
  });
}
