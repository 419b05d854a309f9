/** The client in a version of Node that the emulator and its users may have (package.json, engines). */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createClient } from '../../../src/service/client.ts';
import { createDeferred } from '../../../src/service/deferred.ts';
import { drain } from '../../../src/service/drain.ts';
import { COMPLETE, chunksOf, collect, NEVER, REQUEST, ROUTE, scripted, utf8 } from './wire.ts';

describe('Without Promise.withResolvers, as in Node 20', () => {
  const withResolvers: unknown = Reflect.get(Promise, 'withResolvers');
  beforeEach(() => void Reflect.deleteProperty(Promise, 'withResolvers'));
  afterEach(() => void Object.assign(Promise, { withResolvers }));

  it('a completion is read', async () => {
    const transport = scripted({ body: COMPLETE });
    const client = createClient({ transport, route: ROUTE, key: 'k' });
    const chunks = chunksOf(await collect(client.stream(REQUEST, NEVER)));
    assert.notEqual(chunks.map(({ answer }) => answer).join(''), '');
  });

  it('a body is drained', async () => {
    const parts = await collect(drain(Readable.from([utf8('a'), utf8('b')], { objectMode: false })));
    assert.equal(Buffer.concat(parts).toString(), 'ab');
  });

  it('a promise is settled from outside', async () => {
    const kept = createDeferred<number>();
    kept.resolve(1);
    assert.equal(await kept.promise, 1);
    const broken = createDeferred<number>();
    broken.reject(new Error('No'));
    await assert.rejects(broken.promise, /No/);
  });
});
