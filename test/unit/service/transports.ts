/** What both transports must do alike, tested with servers on this computer. */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, createGzip, gzipSync } from 'node:zlib';
import { it } from 'mocha';
import { createClient, type StreamEvent } from '../../../src/service/client.ts';
import { createDeferred } from '../../../src/service/deferred.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import type { Transport } from '../../../src/service/transport.ts';
import {
  COMPLETE,
  chunkOf,
  collect,
  collectUntilError,
  kindOf,
  NEVER,
  REQUEST,
  readBodyOf,
  routeTo,
  serve,
  sse,
  sumOf,
  utf8,
  WIDE_LIMITS,
} from './wire.ts';

const clientFor = (transport: Transport, origin: string, connecting = 60_000) =>
  createClient({
    transport,
    route: routeTo(origin),
    key: 'sk-secret',
    limits: { ...WIDE_LIMITS, connecting },
    pause: async () => undefined,
  });

export function itBehavesAsTransport(send: Transport): void {
  it('Q1 Q2 sends one POST with its length and key, and no other headers of its own', async () => {
    const seen: unknown[] = [];
    const server = await serve((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text) => {
        body += text;
      });
      request.on('end', () => {
        const { authorization, 'content-length': length, 'transfer-encoding': encoding } = request.headers;
        seen.push({ method: request.method, url: request.url, authorization, length, encoding, body });
        response.end(COMPLETE);
      });
    });
    const messages = [{ role: 'user', content: 'Gr\u00fc\u00dfe \u4f60' }] as const;
    const events = await collect(clientFor(send, server.origin).stream({ ...REQUEST, messages }, NEVER));
    await server.close();
    const body = JSON.stringify({ ...REQUEST, messages });
    assert.deepEqual(seen, [
      {
        method: 'POST',
        url: '/v1/chat/completions',
        authorization: 'Bearer sk-secret',
        length: String(utf8(body).length),
        encoding: undefined,
        body,
      },
    ]);
    assert.equal(events.at(-1)?.type, 'done');
  });

  it('E9 reports that the connection is established before the headers arrive', async () => {
    const server = await serve((_, response) => {
      setTimeout(() => response.end(COMPLETE), 600);
    });
    // Waiting for the first byte isn't connecting: prompts of half a million tokens take about a minute.
    const events = await collect(clientFor(send, server.origin, 400).stream(REQUEST, NEVER));
    // The same on a reused connection.
    const again = await collect(clientFor(send, server.origin, 400).stream(REQUEST, NEVER));
    await server.close();
    assert.equal(events.at(-1)?.type, 'done');
    assert.equal(again.at(-1)?.type, 'done');
  });

  it('yields bytes as they arrive', async () => {
    const server = await serve(async (_, response) => {
      response.write('a');
      await sleep(40);
      response.end('b');
    });
    const { body, status, headers } = await send({
      method: 'GET',
      url: `${server.origin}/`,
      headers: {},
      signal: NEVER,
    });
    const parts = (await collect(body)).map((part) => new TextDecoder().decode(part));
    await server.close();
    assert.equal(status, 200);
    assert.ok(Object.keys(headers).every((name) => name === name.toLowerCase()));
    assert.deepEqual(parts, ['a', 'b']);
  });

  it('reads a response behind others that only say that it comes, for which nobody has asked', async () => {
    const server = await serve(async (_, response) => {
      response.socket?.setNoDelay();
      for (const byte of 'HTTP/1.1 100 Continue\r\nvia: gateway\r\n\r\n') {
        response.socket?.write(byte);
        await sleep(1);
      }
      response.writeContinue();
      response.writeProcessing();
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeContinue();
      response.end(COMPLETE);
    });
    const events = await collect(clientFor(send, server.origin).stream(REQUEST, NEVER));
    await server.close();
    assert.equal(events.at(-1)?.type, 'done');
  });

  it('refuses such a response whose headers do not end', async () => {
    const server = await serve((_, { socket }) => {
      socket?.write(`HTTP/1.1 100 Continue\r\nx: ${'a'.repeat(1_000_000)}`);
    });
    const limits = { ...WIDE_LIMITS, 'first-byte': 20_000 };
    const client = createClient({ transport: send, route: routeTo(server.origin), key: 'sk', limits });
    const { error } = await collectUntilError(client.stream(REQUEST, NEVER));
    await server.close();
    assert.equal(kindOf(error), 'connection-lost');
  });

  it('reads a stream of single bytes with a BOM and CRLF', async () => {
    const server = await serve(async (_, response) => {
      response.socket?.setNoDelay();
      for (const byte of utf8(
        `\ufeff${sse(chunkOf({ content: '\u{1f600}' }, 'stop'), '[DONE]').replaceAll('\n', '\r\n')}`,
      )) {
        response.write(new Uint8Array([byte]));
        if (byte > 127 || byte === 13) await sleep(1);
      }
      response.end();
    });
    const events = await collect(clientFor(send, server.origin).stream(REQUEST, NEVER));
    await server.close();
    assert.equal((sumOf(events) as { answer: string }).answer, '\u{1f600}');
  });

  it('follows no redirect, and sends the key nowhere else', async () => {
    let strangers = 0;
    const elsewhere = await serve((_, response) => {
      strangers++;
      response.end(COMPLETE);
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await serve((_, response) => {
        response.writeHead(status, { location: `${elsewhere.origin}/v1/chat/completions` }).end('Moved');
      });
      const { error } = await collectUntilError(clientFor(send, server.origin).stream(REQUEST, NEVER));
      await server.close();
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'redirected');
      assert.equal(error.details.location, `${elsewhere.origin}/v1/chat/completions`);
    }
    await elsewhere.close();
    assert.equal(strangers, 0);
  });

  it('passes a firewall that refuses requests without a user agent', async () => {
    const server = await serve((request, response) => {
      if (request.headers['user-agent'] === 'k3-chat') response.end(COMPLETE);
      else response.writeHead(403).end('error code: 1010');
    });
    const client = clientFor(send, server.origin);
    const { error } = await collectUntilError(client.stream(REQUEST, NEVER));
    assert.equal(error, undefined);
    await server.close();
  });

  it('decompresses nothing, so that the client receives the original bytes', async () => {
    const zipped = gzipSync(COMPLETE);
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped);
    });
    const url = `${server.origin}/`;
    const { body } = await send({ method: 'GET', url, headers: {}, signal: NEVER });
    assert.deepEqual(Buffer.concat(await collect(body)), zipped);
    await server.close();
  });

  it('does not ask for gzip, but reads it event by event', async () => {
    const server = await serve(async (request, response) => {
      assert.equal(request.headers['accept-encoding'], 'identity');
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      for (const event of COMPLETE.split(/(?<=\n\n)/)) {
        gzip.write(event);
        gzip.flush();
        if (event.includes('Because')) await seen.promise;
      }
      // The rest is sent only after the client has received the answer.
      gzip.end();
    });
    const seen = createDeferred<void>();
    const events: StreamEvent[] = [];
    for await (const event of clientFor(send, server.origin).stream(REQUEST, NEVER)) {
      events.push(event);
      if (event.type === 'chunk' && event.chunk.answer !== '') seen.resolve();
    }
    await server.close();
    assert.deepEqual(sumOf(events), sumOf((await readBodyOf(COMPLETE)).events));
  });

  it('R9 keeps what arrived of a gzip that is cut off, and does not report it as complete', async () => {
    const part = COMPLETE.slice(0, COMPLETE.indexOf('Because'));
    const cut = gzipSync(part, { finishFlush: constants.Z_SYNC_FLUSH });
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(cut);
    });
    const events = await collect(clientFor(send, server.origin).stream(REQUEST, NEVER));
    await server.close();
    const { reasoning, finish, done } = sumOf(events) as Readonly<Record<string, unknown>>;
    assert.deepEqual([reasoning, finish, done], ['Let me think.', undefined, 0]);
  });

  it('E8 keeps what had arrived when the stream breaks while the last event is being shown', async () => {
    const half = createDeferred<void>();
    const broken = createDeferred<void>();
    const server = await serve(async (_, response) => {
      response.write(sse(chunkOf({ content: 'a' })));
      await half.promise;
      response.write(sse(chunkOf({ content: 'b' })));
      await sleep(50);
      response.socket?.resetAndDestroy();
      await sleep(50);
      broken.resolve();
    });
    const events: StreamEvent[] = [];
    const read = async () => {
      for await (const event of clientFor(send, server.origin).stream(REQUEST, NEVER)) {
        events.push(event);
        if (event.type !== 'chunk' || event.chunk.answer !== 'a') continue;
        half.resolve();
        await broken.promise;
      }
    };
    await assert.rejects(read);
    await server.close();
    assert.equal((sumOf(events) as { answer: string }).answer, 'ab');
  });

  it('sends each request on a connection of its own, and asks no gateway to close it', async () => {
    const seen: unknown[] = [];
    let connections = 0;
    const server = await serve((request, response) => {
      seen.push(request.headers.connection);
      request.resume();
      response.end(COMPLETE);
    });
    server.server.on('connection', () => connections++);
    const client = clientFor(send, server.origin);
    for (let i = 0; i < 3; i++) {
      await collect(client.stream(REQUEST, NEVER));
      await sleep(20);
    }
    await server.close();
    assert.equal(connections, 3);
    assert.deepEqual(seen, ['keep-alive', 'keep-alive', 'keep-alive']);
  });

  it('closes the connection of a response that was read', async () => {
    const server = await serve((_, response) => response.end(COMPLETE));
    await collect(clientFor(send, server.origin).stream(REQUEST, NEVER));
    for (let i = 0; i < 100 && server.sockets.size > 0; i++) await sleep(5);
    assert.equal(server.sockets.size, 0);
    await server.close();
  });

  it('reports a server that answers with another protocol', async () => {
    const server = await serve(() => undefined);
    server.server.removeAllListeners('request');
    server.server.on('connection', (socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      ),
    );
    const { error } = await collectUntilError(clientFor(send, server.origin).stream(REQUEST, NEVER));
    assert.ok(error instanceof ServiceError);
    for (let i = 0; i < 100 && server.sockets.size > 0; i++) await sleep(5);
    assert.equal(server.sockets.size, 0);
    await server.close();
  });

  it('reports a damaged gzip', async () => {
    const damaged = gzipSync(COMPLETE.replace('data: [DONE]', ''));
    damaged.writeUInt32LE(0, damaged.length - 8);
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(damaged);
    });
    const { error } = await collectUntilError(clientFor(send, server.origin).stream(REQUEST, NEVER));
    await server.close();
    assert.equal(kindOf(error), 'connection-lost');
  });

  it('reads a body that is not compressed in spite of its header, and an error that is compressed', async () => {
    const plain = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(COMPLETE);
    });
    const events = await collect(clientFor(send, plain.origin).stream(REQUEST, NEVER));
    await plain.close();
    assert.equal(events.at(-1)?.type, 'done');
    const refusing = await serve((_, response) => {
      const body = { error: { message: 'Not yours', type: 'permission_denied_error' } };
      response.writeHead(403, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(body)));
    });
    const { error } = await collectUntilError(clientFor(send, refusing.origin).stream(REQUEST, NEVER));
    await refusing.close();
    assert.equal(kindOf(error), 'access-denied');
    assert.match(String(error), /Not yours/);
  });

  it('E8 distinguishes a reset in the middle of a body from its end, and keeps what arrived', async () => {
    for (const content of [chunkOf({ reasoning_content: 'half' }), chunkOf({ content: 'half' })]) {
      const server = await serve((_, response) => {
        response.write(sse(content));
        setTimeout(() => response.socket?.resetAndDestroy(), 20);
      });
      const { all, error } = await collectUntilError(clientFor(send, server.origin).stream(REQUEST, NEVER));
      await server.close();
      assert.equal(kindOf(error), 'connection-lost');
      assert.match(JSON.stringify(sumOf(all)), /half/);
    }
  });

  for (const [end, expected] of [
    ['a reset', /connection-lost/] as const,
    ['silence', /silent/] as const,
    ['an abort', /stopped/] as const,
  ])
    it(`E8 E9 R9 reports ${end} in a body without a length, which ends with its connection`, async () => {
      const server = await serve((_, response) => {
        response.socket?.write(`HTTP/1.1 200 OK\r\n\r\n${sse(chunkOf({ content: 'half' }))}`);
        if (end === 'a reset') setTimeout(() => response.socket?.resetAndDestroy(), 20);
      });
      const stop = new AbortController();
      const limits = { ...WIDE_LIMITS, answering: end === 'silence' ? 50 : 60_000 };
      const client = createClient({ transport: send, route: routeTo(server.origin), key: 'sk', limits });
      const events: StreamEvent[] = [];
      const read = async () => {
        for await (const event of client.stream(REQUEST, stop.signal)) {
          events.push(event);
          if (end === 'an abort' && event.type === 'chunk') stop.abort(new Error('stopped'));
        }
      };
      const error: unknown = await read().then(
        () => undefined,
        (thrown) => thrown,
      );
      await server.close();
      assert.match(error instanceof ServiceError ? error.kind : String(error), expected);
      assert.equal((sumOf(events) as { answer: string }).answer, 'half');
    });

  it('R9 takes the end of the connection for that of a body without a length, and for no failure', async () => {
    const page = '<p>Sign in</p>';
    for (const [version, body, expected] of [
      ['1.1', sse(chunkOf({ content: 'a' }, 'stop')), undefined],
      ['1.0', sse(chunkOf({ content: 'a' }, 'stop')), undefined],
      ['1.1', page, 'not-a-completion'],
    ] as const) {
      const server = await serve((_, { socket }) =>
        socket?.end(`HTTP/${version} 200 OK\r\nconnection: close\r\n\r\n${body}`),
      );
      const { error } = await collectUntilError(clientFor(send, server.origin).stream(REQUEST, NEVER));
      await server.close();
      assert.equal(error === undefined ? error : kindOf(error), expected, `${version} ${body}`);
    }
  });

  it('E8 reports a reset before any text in a body without a length, and none behind its end', async () => {
    const server = await serve(({ headers: { authorization } }, { socket }) => {
      const isWhole = authorization === 'Bearer whole';
      socket?.write(
        `HTTP/1.1 200 OK\r\n${isWhole ? `content-length: ${utf8(COMPLETE).length}\r\n` : ''}\r\n`,
      );
      if (isWhole) socket?.write(COMPLETE);
      setTimeout(() => socket?.resetAndDestroy(), 20);
    });
    const ask = (key: string) =>
      collectUntilError(
        createClient({ transport: send, route: routeTo(server.origin), key }).stream(REQUEST, NEVER),
      );
    const [broken, whole] = [await ask('broken'), await ask('whole')];
    await server.close();
    assert.equal(kindOf(broken.error), 'connection-lost');
    assert.equal(whole.error, undefined);
  });

  it('reads a response that has no body by its status, also if its connection stays open', async () => {
    const server = await serve((_, response) => void response.writeHead(204).end());
    const { error } = await collectUntilError(clientFor(send, server.origin).stream(REQUEST, NEVER));
    await server.close();
    assert.equal(kindOf(error), 'not-a-completion');
  });

  it('reads a response with headers of 64 KiB, as gateways send that add their own for each request', async () => {
    const server = await serve((_, response) => {
      for (let i = 0; i < 8; i++) response.setHeader(`x-gateway-${i}`, 'a'.repeat(8000));
      response.end(COMPLETE);
    });
    const events = await collect(clientFor(send, server.origin).stream(REQUEST, NEVER));
    await server.close();
    assert.equal(events.at(-1)?.type, 'done');
  });

  it('distinguishes a chunked body that ends early from a complete one', async () => {
    const server = await serve((_, response) => {
      response.write(sse(chunkOf({ content: 'half' })));
      setTimeout(() => response.socket?.end(), 20);
    });
    const { error } = await collectUntilError(clientFor(send, server.origin).stream(REQUEST, NEVER));
    await server.close();
    assert.equal(kindOf(error), 'connection-lost');
  });

  it('reports that nothing listens', async () => {
    const server = await serve(() => undefined);
    await server.close();
    const { error } = await collectUntilError(clientFor(send, server.origin).stream(REQUEST, NEVER));
    assert.ok(error instanceof ServiceError);
    assert.equal(error.kind, 'unreachable');
    assert.equal(error.details.systemCode, 'ECONNREFUSED');
  });

  it('reports that the server does not speak HTTP', async () => {
    const server = await serve(() => undefined);
    server.server.removeAllListeners('request');
    server.server.on('connection', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
    const { error } = await collectUntilError(clientFor(send, server.origin).stream(REQUEST, NEVER));
    await server.close();
    assert.equal(kindOf(error), 'connection-lost');
  });

  it('Q2 reports a key that is invalid in a header', async () => {
    const server = await serve((_, response) => response.end(COMPLETE));
    const client = createClient({ transport: send, route: routeTo(server.origin), key: 'sk-1\nsk-2' });
    const { error } = await collectUntilError(client.stream(REQUEST, NEVER));
    await server.close();
    assert.equal(kindOf(error), 'bad-key');
  });

  it('closes a connection that an abort, or a consumer that leaves, ends in any phase', async () => {
    for (const phase of ['headers', 'reasoning', 'answering']) {
      for (const way of ['abort', 'leave']) {
        const server = await serve((_, response) => {
          if (phase === 'headers') return;
          response.write(sse(chunkOf(phase === 'reasoning' ? { reasoning_content: 'r' } : { content: 'a' })));
        });
        const reader = new AbortController();
        const last = phase === 'headers' ? 'connected' : 'chunk';
        const read = async () => {
          for await (const event of clientFor(send, server.origin).stream(REQUEST, reader.signal)) {
            if (event.type !== last) continue;
            if (way === 'leave') break;
            reader.abort(new Error('stopped'));
          }
        };
        if (way === 'leave') await read();
        else await assert.rejects(read, /stopped/);
        for (let i = 0; i < 100 && server.sockets.size > 0; i++) await sleep(5);
        assert.equal(server.sockets.size, 0, `${way} in ${phase}`);
        await server.close();
      }
    }
  });

  it('keeps two simultaneous requests separate', async () => {
    const server = await serve((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', async () => {
        const name = JSON.parse(body).messages[0].content;
        for (let i = 0; i < 20; i++) {
          response.write(sse(chunkOf({ content: name })));
          await sleep(1);
        }
        response.end(sse(chunkOf({}, 'stop'), '[DONE]'));
      });
    });
    const client = clientFor(send, server.origin);
    const ask = (content: string) =>
      collect(client.stream({ ...REQUEST, messages: [{ role: 'user', content }] }, NEVER));
    const answers = (await Promise.all(['a', 'b', 'c'].map(ask))).map(sumOf) as { answer: string }[];
    await server.close();
    assert.deepEqual(
      answers.map(({ answer }) => answer),
      ['a', 'b', 'c'].map((name) => name.repeat(20)),
    );
  });
}
