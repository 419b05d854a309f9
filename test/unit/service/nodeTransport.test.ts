import assert from 'node:assert/strict';
import http from 'node:http';
import { createSecureServer } from 'node:http2';
import https, { createServer, type RequestOptions, type Server } from 'node:https';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { after, before, describe, it } from 'mocha';
import { createClient } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { createNodeTransport, nodeTransport } from '../../../src/service/nodeTransport.ts';
import type { Transport } from '../../../src/service/transport.ts';
import { type Authority, createAuthority } from './authority.ts';
import { itBehavesAsTransport } from './transports.ts';
import { COMPLETE, collectUntilError, listen, NEVER, REQUEST, routeTo, serve } from './wire.ts';

const late = async (ms: number): Promise<never> => {
  await sleep(ms);
  throw new Error('nothing happened');
};

describe('The default transport', () => {
  itBehavesAsTransport(nodeTransport);

  for (const [scheme, module] of [
    ['http', http],
    ['https', https],
  ] as const)
    it(`sends through what the editor puts in the place of ${scheme}.request, so that its proxy applies`, async () => {
      const original = module.request;
      const sent: string[] = [];
      module.request = (target: unknown) => {
        sent.push(String(target));
        throw new Error('patched');
      };
      try {
        await assert.rejects(
          nodeTransport({ method: 'GET', url: `${scheme}://svc.example/v1`, headers: {}, signal: NEVER }),
          /patched/,
        );
      } finally {
        module.request = original;
      }
      assert.deepEqual(sent, [`${scheme}://svc.example/v1`]);
    });

  it('uses no connection that others have left with the agent', async () => {
    let connections = 0;
    const server = await serve((request, response) => {
      request.resume();
      response.end(COMPLETE);
    });
    server.server.on('connection', () => connections++);
    await new Promise<void>((resolve) => {
      http.get(server.origin, (response) => response.resume().on('end', resolve));
    });
    await sleep(20);
    const client = createClient({ transport: nodeTransport, route: routeTo(server.origin), key: 'k' });
    const { error } = await collectUntilError(client.stream(REQUEST, NEVER));
    await server.close();
    assert.equal(error, undefined);
    assert.equal(connections, 2);
  });

  it('ends with an abort while the agent, for example during a PAC look-up, has no socket yet', async () => {
    const original = http.request;
    const agent = new http.Agent();
    Object.assign(agent, { addRequest: () => undefined });
    const patched = (target: URL, options: object, onResponse: () => void) =>
      original(target, { ...options, agent }, onResponse);
    http.request = patched as typeof http.request;
    try {
      const reader = new AbortController();
      const url = 'http://svc.example/v1';
      const sending = nodeTransport({ method: 'POST', url, headers: {}, body: '', signal: reader.signal });
      reader.abort(new Error('stopped'));
      await assert.rejects(Promise.race([sending, late(500)]), /stopped/);
    } finally {
      http.request = original;
    }
  });

  it('ends with a request that is closed without a response or an error', async () => {
    const original = http.request;
    const patched = (...given: Parameters<typeof http.request>) => {
      const outgoing = original(...given);
      setImmediate(() => outgoing.emit('close'));
      outgoing.on('error', () => undefined);
      return outgoing;
    };
    http.request = patched as typeof http.request;
    const server = await serve(() => undefined);
    try {
      const url = `${server.origin}/v1`;
      const sending = nodeTransport({ method: 'POST', url, headers: {}, body: '', signal: NEVER });
      await assert.rejects(Promise.race([sending, late(500)]), { code: 'ECONNRESET' });
    } finally {
      http.request = original;
      await server.close();
    }
  });

  it('tells a response of the proxy from one of the service, which would have come over TLS', async () => {
    const original = https.request;
    // As the editor's agent does when the proxy refuses a tunnel: it replays what the proxy has answered.
    const refused = (url: URL, options: object, onResponse: () => void) => {
      const replayed = new net.Socket();
      const outgoing = original(url, { ...options, createConnection: () => replayed }, onResponse);
      outgoing.once('socket', () => {
        replayed.push('HTTP/1.1 403 Blocked\r\ncontent-length: 2\r\n\r\nno');
        replayed.push(null);
      });
      return outgoing;
    };
    https.request = refused as typeof https.request;
    const client = createClient({
      transport: nodeTransport,
      route: routeTo('https://svc.example'),
      key: 'k',
    });
    const { error } = await collectUntilError(client.stream(REQUEST, NEVER));
    https.request = original;
    assert.ok(error instanceof ServiceError);
    assert.equal(error.kind, 'proxy-refused');
    assert.deepEqual(error.details, { status: 403, proxy: true });
  });

  describe('over TLS', () => {
    let authority: Authority;
    before(async () => {
      authority = await createAuthority();
    });
    after(() => authority?.remove());

    it('trusts the certificate authority of a route, and no other', async () => {
      const server = await listen(
        createServer(authority, (_, response) => response.end(COMPLETE)),
        'https',
      );
      const askWith = async (transport: Transport) => {
        const client = createClient({ transport, route: routeTo(server.origin), key: 'k' });
        return collectUntilError(client.stream(REQUEST, NEVER));
      };
      const own = await askWith(createNodeTransport({ caFile: authority.certFile }));
      await server.close();
      assert.equal(own.error, undefined);
      assert.throws(
        () => createNodeTransport({ caFile: '/no/such/file.pem' }),
        /network\.caFile.*\/no\/such\/file\.pem/,
      );
    });

    it('says that it speaks HTTP/1.1 only, so that a server of HTTP/2 ends the handshake', async () => {
      const server = await listen(
        createSecureServer({ ...authority, allowHTTP1: false }) as unknown as Server,
        'https',
      );
      const transport = createNodeTransport({ caFile: authority.certFile });
      const original = https.request;
      // The agent of Node says it by itself, the editor's doesn't.
      const patched = (url: URL, options: object, onResponse: () => void) => {
        const agent = new https.Agent();
        const { createConnection } = agent;
        agent.createConnection = (given, ...others) =>
          createConnection.call(agent, { ALPNProtocols: [], ...given, ...options }, ...others);
        return original(url, { ...options, agent }, onResponse);
      };
      https.request = patched as typeof https.request;
      const client = createClient({ transport, route: routeTo(server.origin), key: 'k' });
      const { error } = await collectUntilError(client.stream(REQUEST, NEVER));
      https.request = original;
      await server.close();
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'unreachable');
      assert.equal(error.details.systemCode, 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL');
    });

    it('compares the certificate with the IP address of the service, not with what a proxy is called', async () => {
      const server = await listen(
        createServer(authority, (_, response) => response.end(COMPLETE)),
        'https',
      );
      const original = https.request;
      // As the editor's agent does for a tunnel: a socket of its own, without the host.
      const tunnel = (url: URL, options: RequestOptions, onResponse: () => void) => {
        const { checkServerIdentity, ca } = options as tls.ConnectionOptions;
        const socket = net.connect(Number(url.port), url.hostname);
        const given = {
          ...(ca && { ca }),
          ...(checkServerIdentity && { checkServerIdentity }),
        };
        const createConnection = () => tls.connect({ ...given, socket });
        return original(url, { ...options, agent: undefined, createConnection }, onResponse);
      };
      https.request = tunnel as typeof https.request;
      const transport = createNodeTransport({ caFile: authority.certFile });
      const client = createClient({ transport, route: routeTo(server.origin), key: 'k' });
      const { error } = await collectUntilError(client.stream(REQUEST, NEVER));
      https.request = original;
      await server.close();
      assert.equal(error, undefined);
    });

    it('trusts no certificate that the computer does not trust', async () => {
      const server = await listen(
        createServer(authority, (_, response) => response.end(COMPLETE)),
        'https',
      );
      const client = createClient({ transport: nodeTransport, route: routeTo(server.origin), key: 'k' });
      const { all, error } = await collectUntilError(client.stream(REQUEST, NEVER));
      await server.close();
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'untrusted-certificate');
      assert.equal(
        all.some((event) => event.type === 'connected'),
        false,
      );
    });
  });
});
