import assert from 'node:assert/strict';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { constants, createSecureServer } from 'node:http2';
import { createServer as createHttpsServer, type Server } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { createClient } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import type { RouteNetwork } from '../../../src/service/types.ts';
import { createUndiciTransport } from '../../../src/service/undiciTransport.ts';
import { inBackground } from '../../support/inBackground.ts';
import { type Authority, createAuthority } from './authority.ts';
import { itBehavesAsTransport } from './transports.ts';
import {
  COMPLETE,
  collectUntilError,
  type LocalServer,
  listen,
  NEVER,
  REQUEST,
  routeTo,
  serve,
  WIDE_LIMITS,
} from './wire.ts';

/** A proxy that tunnels, records its requests, and can require a login. */
async function serveProxy(
  login?: string | { readonly status: number },
): Promise<LocalServer & { readonly targets: string[] }> {
  const targets: string[] = [];
  const server = createHttpServer();
  server.on('connect', (request, socket, head) => {
    targets.push(request.url ?? '');
    if (typeof login === 'object') return void socket.end(`HTTP/1.1 ${login.status} No\r\n\r\n`);
    if (login !== undefined && request.headers['proxy-authorization'] !== login) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  return Object.assign(await listen(server, 'http'), { targets });
}

async function ask(network: RouteNetwork, origin: string, connecting = 60_000) {
  const transport = createUndiciTransport(network, inBackground);
  const limits = { ...WIDE_LIMITS, connecting };
  const client = createClient({ transport: transport.send, route: routeTo(origin), key: 'k', limits });
  const result = await collectUntilError(client.stream(REQUEST, NEVER));
  await transport.close();
  return result;
}

const answer: RequestListener = (_, response) => response.end(COMPLETE);

describe('The transport of a route with its own network settings', () => {
  const transport = createUndiciTransport({ proxy: 'none' }, inBackground);
  after(() => transport.close());
  itBehavesAsTransport(transport.send);

  it('names the setting if the certificate file cannot be read', () => {
    assert.throws(
      () => createUndiciTransport({ caFile: '/no/such/file.pem' }, inBackground),
      /network\.caFile.*\/no\/such\/file\.pem/,
    );
  });

  it('names the setting if the certificate file has no certificate', () => {
    assert.throws(
      () => createUndiciTransport({ caFile: import.meta.filename }, inBackground),
      /network\.caFile.*certificate/,
    );
  });

  it('uses the proxy of the route, and E9 reports that the connection is established', async () => {
    const proxy = await serveProxy();
    const server = await serve(async (_, response) => {
      await sleep(600);
      response.end(COMPLETE);
    });
    const { all, error } = await ask({ proxy: proxy.origin }, server.origin, 400);
    await server.close();
    await proxy.close();
    assert.equal(error, undefined);
    assert.equal(all.at(-1)?.type, 'done');
    assert.deepEqual(proxy.targets, [new URL(server.origin).host]);
  });

  it('uses a proxy with a login', async () => {
    const proxy = await serveProxy(`Basic ${Buffer.from('me:secret').toString('base64')}`);
    const server = await serve(answer);
    const { error } = await ask({ proxy: proxy.origin.replace('://', '://me:secret@') }, server.origin);
    await server.close();
    await proxy.close();
    assert.equal(error, undefined);
  });

  it('reports that the proxy requires a login, without sending the key to it', async () => {
    const proxy = await serveProxy('Basic of-another');
    const { error } = await ask({ proxy: proxy.origin }, 'http://service.example');
    await proxy.close();
    assert.ok(error instanceof ServiceError);
    assert.equal(error.kind, 'proxy-refused');
  });

  it('reports that the proxy refuses the connection, and with which status', async () => {
    const proxy = await serveProxy({ status: 403 });
    const { error } = await ask({ proxy: proxy.origin }, 'http://service.example');
    await proxy.close();
    assert.ok(error instanceof ServiceError);
    assert.equal(error.kind, 'proxy-refused');
    assert.equal(error.details.status, 403);
  });

  for (const proxy of ['proxy.example:8080', 'nonsense', 'ftp://proxy.example', 'http://'])
    it(`names the setting if the proxy is not an address: ${proxy}`, () => {
      assert.throws(() => createUndiciTransport({ proxy }, inBackground), /network\.proxy/);
    });

  it('has no password of the proxy in that error', () => {
    assert.throws(
      () => createUndiciTransport({ proxy: 'me:secret@proxy.example:8080' }, inBackground),
      (error: Error) => /network\.proxy/.test(error.message) && !/secret/.test(error.message),
    );
  });

  it('reports that the proxy cannot be reached', async () => {
    const proxy = await serveProxy();
    await proxy.close();
    const { error } = await ask({ proxy: proxy.origin }, 'http://service.example');
    assert.ok(error instanceof ServiceError);
    assert.equal(error.kind, 'unreachable');
    assert.equal(error.details.proxy, true);
  });

  for (const [what, network] of [
    ['a service', (): RouteNetwork => ({})],
    ['a proxy', (origin: string): RouteNetwork => ({ proxy: origin.replace('https:', 'http:') })],
  ] as const) {
    it(`E9 can be stopped, and times out, while ${what} accepts the connection and sends nothing`, async () => {
      const sockets: Socket[] = [];
      const server = createServer((socket) => {
        sockets.push(socket.on('error', () => undefined).resume());
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      const origin = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
      const own = createUndiciTransport(network(origin), inBackground);
      const route = routeTo(origin);
      const late = createClient({
        transport: own.send,
        route,
        key: 'k',
        limits: { ...WIDE_LIMITS, connecting: 100 },
      });
      const { error } = await collectUntilError(late.stream(REQUEST, NEVER));
      assert.ok(error instanceof ServiceError && error.kind === 'silent');
      const stopped = new AbortController();
      setTimeout(() => stopped.abort(), 100);
      const client = createClient({ transport: own.send, route, key: 'k', limits: WIDE_LIMITS });
      const ended = await collectUntilError(client.stream(REQUEST, stopped.signal));
      assert.equal(ended.error, stopped.signal.reason);
      await own.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
  }

  describe('over TLS', () => {
    let authority: Authority;
    before(async () => {
      authority = await createAuthority();
    });
    after(() => authority?.remove());
    const secure = () => listen(createHttpsServer(authority, answer), 'https');
    const caFile = () => authority.certFile;

    it('trusts the certificate authority of the route, and no other', async () => {
      const server = await secure();
      assert.equal((await ask({ caFile: caFile() }, server.origin)).error, undefined);
      const { error } = await ask({}, server.origin);
      await server.close();
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'untrusted-certificate');
    });

    it('speaks HTTP/2 behind its proxy too', async () => {
      const versions: string[] = [];
      const secured = createSecureServer(authority).on('request', (request, response) => {
        versions.push(request.httpVersion);
        response.end(COMPLETE);
      });
      const server = await listen(secured as unknown as Server, 'https');
      const proxy = await serveProxy();
      const network = { caFile: caFile(), http2: true };
      assert.equal((await ask(network, server.origin)).error, undefined);
      assert.equal((await ask({ ...network, proxy: proxy.origin }, server.origin)).error, undefined);
      await proxy.close();
      await server.close();
      assert.deepEqual(versions, ['2.0', '2.0']);
    });

    it('reads an answer of HTTP/2 to its end after the service announced the end of the connection (RFC 9113)', async () => {
      let begun = 0;
      const secured = createSecureServer(authority).on('stream', (stream) => {
        begun++;
        stream.respond({ ':status': 200 });
        stream.write(COMPLETE.slice(0, 20));
        stream.session?.goaway(constants.NGHTTP2_NO_ERROR);
        setTimeout(() => stream.end(COMPLETE.slice(20)), 20);
      });
      const server = await listen(secured as unknown as Server, 'https');
      const proxy = await serveProxy();
      const network = { caFile: caFile(), http2: true };
      for (const way of [network, { ...network, proxy: proxy.origin }]) {
        const { all, error } = await ask(way, server.origin);
        assert.equal(error, undefined);
        assert.equal(all.at(-1)?.type, 'done');
      }
      await proxy.close();
      await server.close();
      assert.equal(begun, 2);
    });

    it('reports a certificate for another host behind its proxy', async () => {
      const server = await secure();
      const proxy = await serveProxy();
      const wrong = server.origin.replace('127.0.0.1', 'localhost');
      const { error } = await ask({ caFile: caFile(), proxy: proxy.origin }, wrong);
      await proxy.close();
      await server.close();
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'untrusted-certificate');
      assert.equal(error.details.systemCode, 'ERR_TLS_CERT_ALTNAME_INVALID');
    });

    it('trusts the certificate authority of the route behind its proxy too', async () => {
      const server = await secure();
      const proxy = await serveProxy();
      const { error } = await ask({ caFile: caFile(), proxy: proxy.origin }, server.origin);
      await proxy.close();
      await server.close();
      assert.equal(error, undefined);
      assert.deepEqual(proxy.targets, [new URL(server.origin).host]);
    });
  });
});
