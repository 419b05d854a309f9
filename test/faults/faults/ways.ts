/** Ways to the service on which requests arrive late or never: names, proxies, TLS, and kept connections. */
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createAuthority } from '../../unit/service/authority.ts';
import type { Detour, Fault, TransportName } from '../fault.ts';
import { COMPLETE, failed, lost, silent } from './expect.ts';

const OVER_NODE: readonly TransportName[] = ['node', 'node-tls'];
const OVER_TLS: readonly TransportName[] = ['node-tls', 'undici-tls', 'undici-h2'];
const TUNNELED: readonly TransportName[] = ['undici-tls', 'undici-h2'];
const PROXIED: readonly TransportName[] = ['undici', ...TUNNELED];

const UNREACHABLE = failed('unreachable', /Couldn’t reach the service.*\(E[A-Z_]+\)/s);

/** A server in the way, and the port that it listens on. */
async function inTheWay(server: Server, toDetour: (port: number) => Detour): Promise<Detour> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...toDetour((server.address() as AddressInfo).port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const instead = (onConnection: (socket: Socket) => void) => () =>
  inTheWay(createServer({ allowHalfOpen: true }, onConnection), (port) => ({ port }));

/** A proxy of the route. It answers the first bytes of a connection. */
const proxy = (onRequest: (socket: Socket) => void) => () =>
  inTheWay(
    createServer((socket) => socket.once('data', () => onRequest(socket))),
    (port) => ({ network: { proxy: `http://user:secret@127.0.0.1:${port}` } }),
  );

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const connecting = { phases: ['connecting'] } as const;

export const NAMES: readonly Fault[] = [
  {
    ...connecting,
    name: 'refused',
    detour: async () => ({ port: await closedPort() }),
    expected: () => UNREACHABLE,
  },
  {
    ...connecting,
    name: 'dns-not-found',
    detour: () => ({ host: 'enotfound.k3.test' }),
    expected: () => UNREACHABLE,
  },
  { ...connecting, name: 'dns-fails', detour: () => ({ host: 'eai.k3.test' }), expected: () => UNREACHABLE },
  { ...connecting, name: 'dns-late', detour: () => ({ host: 'late-80.k3.test' }), expected: () => COMPLETE },
  {
    ...connecting,
    name: 'dns-never',
    waits: 'limit',
    detour: () => ({ host: 'never.k3.test' }),
    expected: silent,
  },
  {
    ...connecting,
    name: 'pac-late',
    transports: OVER_NODE,
    detour: () => ({ host: 'pac-80.k3.test' }),
    expected: () => COMPLETE,
  },
  {
    ...connecting,
    name: 'pac-never',
    transports: OVER_NODE,
    waits: 'limit',
    detour: () => ({ host: 'pac-never.k3.test' }),
    expected: silent,
  },
  {
    ...connecting,
    name: 'kept-connection-closes',
    // The other connection stays open.
    deaf: true,
    transports: OVER_NODE,
    // Other code in the process leaves a connection with the agent, and the service closes it on the next request.
    async detour(port, { transport }) {
      const { get } = transport === 'node' ? http : https;
      const scheme = transport === 'node' ? 'http' : 'https';
      await new Promise((resolve, reject) => {
        get(`${scheme}://127.0.0.1:${port}/`, (response) => response.resume().once('end', resolve)).once(
          'error',
          reject,
        );
      });
      const { freeSockets } = (transport === 'node' ? http : https).globalAgent;
      const kept = () => Object.entries(freeSockets).filter(([name]) => name.includes(`:${port}:`));
      return {
        async close() {
          for (const [, sockets = []] of kept()) for (const socket of sockets) socket.destroy();
        },
      };
    },
    expected: () => COMPLETE,
  },
];

export const TLS: readonly Fault[] = [
  {
    ...connecting,
    name: 'tls-untrusted',
    transports: OVER_TLS,
    async detour() {
      const other = await createAuthority();
      const detour = await inTheWay(createTlsServer({ key: other.key, cert: other.cert }), (port) => ({
        port,
      }));
      other.remove();
      return detour;
    },
    expected: () => failed('untrusted-certificate', /certificate is not trusted.*caFile/s),
  },
  {
    ...connecting,
    name: 'tls-other-name',
    transports: OVER_TLS,
    detour: () => ({ host: 'localhost' }),
    expected: () => failed('untrusted-certificate', /certificate is not trusted/),
  },
  {
    ...connecting,
    name: 'tls-plain-http',
    transports: OVER_TLS,
    detour: instead((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    expected: () => failed('unreachable', /Couldn’t reach the service/),
  },
  {
    ...connecting,
    name: 'tls-closed',
    transports: OVER_TLS,
    detour: instead((socket) => socket.once('data', () => socket.destroy())),
    expected: () =>
      failed(['connection-lost', 'unreachable'], /connection was lost|Couldn’t reach the service/),
  },
  {
    ...connecting,
    name: 'tls-silent',
    transports: OVER_TLS,
    waits: 'limit',
    detour: instead((socket) => socket.on('end', () => socket.end()).resume()),
    expected: silent,
  },
];

const REFUSED = failed('proxy-refused', /proxy refused the connection/);
const LOGIN = failed('proxy-refused', /proxy requires a user name and password/);
const PROXY_UNREACHABLE = failed('unreachable', /Couldn’t reach the proxy.*\(E[A-Z_]+\)/s);

export const PROXIES: readonly Fault[] = [
  {
    ...connecting,
    name: 'proxy-407',
    transports: PROXIED,
    detour: proxy((socket) =>
      socket.end(
        'HTTP/1.1 407 Who?\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
      ),
    ),
    expected: () => LOGIN,
  },
  {
    ...connecting,
    name: 'proxy-403',
    transports: TUNNELED,
    detour: proxy((socket) =>
      socket.end('HTTP/1.1 403 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    ),
    expected: () => REFUSED,
  },
  {
    ...connecting,
    name: 'proxy-gone',
    transports: PROXIED,
    detour: async () => ({ network: { proxy: `http://127.0.0.1:${await closedPort()}` } }),
    expected: () => PROXY_UNREACHABLE,
  },
  {
    ...connecting,
    name: 'proxy-hangs-up',
    transports: PROXIED,
    detour: proxy((socket) => socket.destroy()),
    expected: lost,
  },
  {
    ...connecting,
    name: 'proxy-silent',
    transports: TUNNELED,
    waits: 'limit',
    detour: proxy(() => undefined),
    expected: silent,
  },
];
