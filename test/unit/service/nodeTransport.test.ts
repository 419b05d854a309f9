import assert from 'node:assert/strict';
import http from 'node:http';
import https, { createServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { createClient } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { nodeTransport } from '../../../src/service/nodeTransport.ts';
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

  describe('over TLS', () => {
    let authority: Authority;
    before(async () => {
      authority = await createAuthority();
    });
    after(() => authority?.remove());

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
