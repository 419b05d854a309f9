import assert from 'node:assert/strict';
import http from 'node:http';
import https, { createServer } from 'node:https';
import { after, before, describe, it } from 'mocha';
import { createClient } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { nodeTransport } from '../../../src/service/nodeTransport.ts';
import { type Authority, createAuthority } from './authority.ts';
import { itBehavesAsTransport } from './transports.ts';
import { COMPLETE, collectUntilError, listen, NEVER, REQUEST, routeTo } from './wire.ts';

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
