import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { type Client, createClient, type StreamEvent } from '../../../src/service/client.ts';
import { ServiceError, type WaitPhase } from '../../../src/service/errors.ts';
import type { Transport } from '../../../src/service/transport.ts';
import type { SilenceLimits } from '../../../src/service/watchdog.ts';
import {
  bytesOf,
  COMPLETE,
  chunkOf,
  collect,
  collectUntilError,
  kindOf,
  NEVER,
  play,
  REQUEST,
  type Reply,
  ROUTE,
  scripted,
  sse,
  sumOf,
  USAGE_CHUNK,
  utf8,
  WIDE_LIMITS,
} from './wire.ts';

const RATE_LIMITED: Reply = { status: 429, body: '{"error":{"message":"Rate limit exceeded","code":null}}' };
const OK: Reply = { body: COMPLETE };

const typesOf = (events: readonly StreamEvent[]) => events.map((event) => event.type);

describe('The client', () => {
  it('Q1 Q2 Q9 posts JSON to the completions of the route, with the key', async () => {
    const transport = scripted(OK);
    await play(transport);
    const [request] = transport.requests;
    assert.equal(request?.method, 'POST');
    assert.equal(request.url, 'http://127.0.0.1:9/v1/chat/completions');
    assert.deepEqual(request.headers, {
      authorization: 'Bearer sk-secret',
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'identity',
      'user-agent': 'k3-chat',
      'content-type': 'application/json',
    });
    assert.equal(request.body, JSON.stringify(REQUEST));
  });

  it('sends no half of a surrogate pair, which strict readers of JSON refuse', async () => {
    const transport = scripted(OK);
    const content = 'cut \ud83d here, \ud83d\ude00, \\ud83d, \ude00';
    await play(transport, undefined, { ...REQUEST, messages: [{ role: 'user', content }] });
    const sent = JSON.parse(String(transport.requests[0]?.body)).messages[0].content;
    assert.equal(sent, 'cut \ufffd here, \ud83d\ude00, \\ud83d, \ufffd');
  });

  it('R1 yields the events in order, with the id of the request', async () => {
    const { events, error } = await play(scripted({ ...OK, headers: { 'x-request-id': 'r-1' } }));
    assert.equal(error, undefined);
    assert.deepEqual(typesOf(events).slice(0, 4), ['try', 'connected', 'headers', 'chunk']);
    assert.deepEqual(events[2], { type: 'headers', requestId: 'r-1' });
    assert.equal(events.at(-1)?.type, 'done');
  });

  it('reads the answer of a gateway with another status of success, and tells if there is none', async () => {
    const created = await play(scripted({ ...OK, status: 201 }));
    assert.equal(created.error, undefined);
    assert.equal(created.events.at(-1)?.type, 'done');
    const { error } = await play(scripted({ status: 204, body: '' }));
    assert.ok(error instanceof ServiceError);
    assert.deepEqual([error.kind, error.details.status], ['not-a-completion', 204]);
  });

  describe('retries', () => {
    it('E6 after 1 and 2 seconds of a rate limit, and succeeds with the third try', async () => {
      const transport = scripted(RATE_LIMITED, RATE_LIMITED, OK);
      const { events, error, waits } = await play(transport);
      assert.equal(error, undefined);
      assert.deepEqual(waits, [1000, 2000]);
      assert.deepEqual(
        typesOf(events).filter((type) => type === 'try' || type === 'pause'),
        ['try', 'pause', 'try', 'pause', 'try'],
      );
      assert.deepEqual(
        transport.requests.map((request) => request.body),
        Array(3).fill(JSON.stringify(REQUEST)),
      );
    });

    it('E6 no more than three times', async () => {
      const transport = scripted(RATE_LIMITED, RATE_LIMITED, RATE_LIMITED, OK);
      const { error } = await play(transport);
      assert.equal(kindOf(error), 'rate-limited');
      assert.equal(transport.requests.length, 3);
    });

    it('E6 when the service says, in seconds or milliseconds or as a date', async () => {
      const headers = [
        { 'retry-after': '5' },
        { 'retry-after-ms': '3500' },
        { 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' },
      ];
      for (const [i, waitMs] of [5000, 3500, 9000].entries()) {
        const { waits } = await play(scripted({ ...RATE_LIMITED, headers: headers[i] ?? {} }, OK));
        assert.deepEqual(waits, [waitMs]);
      }
    });

    it('E6 not automatically if the service asks for more than a minute, and reports the time', async () => {
      const { error, waits } = await play(
        scripted({ ...RATE_LIMITED, headers: { 'retry-after': '61' } }, OK),
      );
      assert.deepEqual(waits, []);
      assert.ok(error instanceof ServiceError);
      assert.equal(error.details.retryAfterMs, 61_000);
    });

    for (const status of [500, 502, 503, 504, 529]) {
      it(`E8 after ${status}`, async () => {
        const { error, waits } = await play(scripted({ status, body: '<html>' }, OK));
        assert.equal(error, undefined);
        assert.deepEqual(waits, [1000]);
      });
    }

    const never: readonly (readonly [string, Reply | Error, string])[] = [
      ['E1 a bad key', { status: 401 }, 'bad-key'],
      [
        'E2 an unknown model',
        { status: 404, body: '{"error":{"type":"resource_not_found_error"}}' },
        'model-unavailable',
      ],
      [
        'E3 an unknown model of a gateway',
        { status: 404, body: '{"error":{"code":"model_not_found"}}' },
        'model-unknown',
      ],
      [
        'E7 no balance under 429',
        { status: 429, body: '{"error":{"type":"exceeded_current_quota_error"}}' },
        'no-balance',
      ],
      ['E11 400', { status: 400 }, 'invalid-request'],
      ['a redirect', { status: 307, headers: { location: 'https://evil.example' } }, 'redirected'],
      ['a 200 with HTML', { body: '<html>' }, 'not-a-completion'],
      ['a 200 with a rate limit in it', { body: '{"error":{"type":"rate_limit_error"}}' }, 'rate-limited'],
      ['a 200 with nothing', { body: '' }, 'not-a-completion'],
      ['a refused connection', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'unreachable'],
      ['a connection that broke', Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'connection-lost'],
      ['a stream that broke before its first event', { body: [new Error('reset')] }, 'connection-lost'],
      [
        'a stream that broke',
        { body: [sse(chunkOf({ content: 'a' })), new Error('reset')] },
        'connection-lost',
      ],
      [
        'an overload in the middle of a stream',
        { body: sse(chunkOf({ content: 'a' }), { error: { type: 'overloaded_error' } }) },
        'overloaded',
      ],
    ];
    for (const [name, reply, kind] of never) {
      it(`not for ${name}`, async () => {
        const transport = scripted(reply, OK);
        const { error, waits } = await play(transport);
        assert.equal(kindOf(error), kind);
        assert.equal(transport.requests.length, 1);
        assert.deepEqual(waits, []);
      });
    }
  });

  it('E11 uses the status if the body of an error breaks off', async () => {
    const { error } = await play(scripted({ status: 401, body: ['{"error":{"mess', new Error('reset')] }));
    assert.ok(error instanceof ServiceError);
    assert.equal(error.kind, 'bad-key');
    assert.equal(error.details.excerpt, '{"error":{"mess');
  });

  it('never follows a redirect, and sends its key nowhere else', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const transport = scripted({ status, headers: { location: 'https://evil.example/v1' } });
      const { error } = await play(transport);
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'redirected');
      assert.equal(error.details.location, 'https://evil.example/v1');
      assert.deepEqual(
        transport.requests.map(({ url }) => new URL(url).origin),
        [ROUTE.origin],
      );
      assert.equal(JSON.stringify(error.details).includes('sk-secret'), false);
    }
  });

  it('reports a network failure in the middle of an answer as a lost connection', async () => {
    const gone = Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT' });
    const { error } = await play(scripted({ body: [sse(chunkOf({ content: 'a' })), gone] }));
    assert.equal(kindOf(error), 'connection-lost');
  });

  it('M1 lists the models with the key', async () => {
    const transport = scripted({ body: '{"data":[{"id":"svc-k3"}]}' });
    const client = createClient({ transport, route: ROUTE, key: 'sk-secret' });
    assert.deepEqual(await client.models(NEVER), ['svc-k3']);
    const [request] = transport.requests;
    assert.equal(request?.method, 'GET');
    assert.equal(request.url, 'http://127.0.0.1:9/v1/models');
    assert.equal(request.headers['authorization'], 'Bearer sk-secret');
    assert.equal(request.body, undefined);
  });

  it('M1 reports a body that is not a model list', async () => {
    const replies: readonly (readonly [Reply | Error, string])[] = [
      [{ status: 401 }, 'bad-key'],
      [{ body: '<html>' }, 'not-a-completion'],
      [{ body: '{"error":{"type":"server_error","message":"x"}}' }, 'server-failed'],
      [Object.assign(new Error('x'), { code: 'ENOTFOUND' }), 'unreachable'],
    ];
    for (const [reply, kind] of replies) {
      const client = createClient({ transport: scripted(reply), route: ROUTE, key: 'k' });
      await assert.rejects(client.models(NEVER), (error) => kindOf(error) === kind);
    }
  });
});

type Stall = 'connecting' | 'headers' | 'first-byte' | 'reasoning' | 'answering' | 'arguments' | 'error body';

/**
 * A transport that is silent from some point until its signal aborts, and reports whether it was released.
 */
function stalling(at: Stall): { transport: Transport; released: () => boolean } {
  let released = false;
  const transport: Transport = async ({ signal, onConnected }) => {
    const aborted = new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => {
        released = true;
        reject(signal.reason);
      });
    });
    aborted.catch(() => undefined);
    if (at === 'connecting') return aborted;
    onConnected?.();
    if (at === 'headers') return aborted;
    async function* body(): AsyncGenerator<Uint8Array> {
      if (at === 'reasoning') yield utf8(sse(chunkOf({ reasoning_content: 'r' })));
      if (at === 'answering') yield utf8(sse(chunkOf({ content: 'a' })));
      if (at === 'arguments')
        yield utf8(sse(chunkOf({ tool_calls: [{ index: 0, function: { arguments: '{' } }] })));
      await aborted;
    }
    return { status: at === 'error body' ? 500 : 200, headers: {}, body: body() };
  };
  return { transport, released: () => released };
}

const STALLS: readonly (readonly [Stall, WaitPhase])[] = [
  ['connecting', 'connecting'],
  ['headers', 'first-byte'],
  ['first-byte', 'first-byte'],
  ['reasoning', 'reasoning'],
  ['answering', 'answering'],
  ['arguments', 'answering'],
];

function clientOf(transport: Transport, limits: SilenceLimits = WIDE_LIMITS): Client {
  return createClient({ transport, route: ROUTE, key: 'k', limits, random: () => 0 });
}

describe('A silent service', () => {
  for (const [stall, phase] of STALLS) {
    it(`E9 while ${stall} is given up after the limit of the phase ${phase}`, async () => {
      const { transport, released } = stalling(stall);
      const client = clientOf(transport, { ...WIDE_LIMITS, [phase]: 25 });
      const { error } = await collectUntilError(client.stream(REQUEST, NEVER));
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'silent');
      assert.equal(error.details.phase, phase);
      assert.ok(released());
    });
  }

  it('is reported by its status if its error body never ends', async () => {
    const { transport, released } = stalling('error body');
    const client = createClient({
      transport,
      route: ROUTE,
      key: 'k',
      limits: { ...WIDE_LIMITS, 'first-byte': 25 },
      pause: () => Promise.reject(new Error('no second try')),
    });
    const { error, all } = await collectUntilError(client.stream(REQUEST, NEVER));
    assert.ok(error instanceof Error);
    const pause = all.find((event) => event.type === 'pause');
    assert.equal(pause?.type === 'pause' && pause.error.kind, 'server-failed');
    assert.ok(released());
  });

  it('is not cut off after the finish reason if a gateway sends one with each chunk', async () => {
    async function* slow(signal: AbortSignal) {
      for (const word of ['One ', 'two ', 'three ', 'four.']) {
        yield utf8(sse(chunkOf({ content: word }, 'stop')));
        await sleep(30, undefined, { signal });
      }
      yield utf8(sse(USAGE_CHUNK, '[DONE]'));
    }
    const transport: Transport = async ({ signal }) => ({ status: 200, headers: {}, body: slow(signal) });
    const client = clientOf(transport, { ...WIDE_LIMITS, afterFinish: 75 });
    const { error, all } = await collectUntilError(client.stream(REQUEST, NEVER));
    assert.equal(error, undefined);
    const text = all.flatMap((event) => (event.type === 'chunk' ? [event.chunk.answer] : [])).join('');
    assert.equal(text, 'One two three four.');
  });

  const messageWith = async (key: string) => {
    const body = JSON.stringify({ error: { message: `Invalid token: Bearer ${key}` } });
    const transport = scripted({ status: 401, body });
    const client = createClient({ transport, route: ROUTE, key, limits: WIDE_LIMITS });
    const { error } = await collectUntilError(client.stream(REQUEST, NEVER));
    assert.ok(error instanceof ServiceError);
    return error.details.serviceMessage;
  };

  it('does not put the key into the error if its message repeats the key', async () => {
    assert.equal(await messageWith('sk-secret-123456'), 'Invalid token: Bearer •••');
    assert.equal(await messageWith('sk-abc'), 'Invalid token: Bearer •••');
  });

  it('keeps the words of the error if the key is so short that it can be a part of them', async () => {
    assert.equal(await messageWith('token'), 'Invalid token: Bearer token');
  });

  it('E9 is given up if it sends nothing but keep-alives, with what arrived before', async () => {
    const transport: Transport = async ({ signal, onConnected }) => {
      onConnected?.();
      const body = async function* () {
        yield utf8(sse(chunkOf({ content: 'half' })));
        for (;;) {
          await sleep(10, undefined, { signal }).catch(() => undefined);
          signal.throwIfAborted();
          // An empty delta is a keep-alive, too.
          yield utf8(`: PROCESSING\n\n${sse(chunkOf({ content: '' }))}`);
        }
      };
      return { status: 200, headers: {}, body: body() };
    };
    const limits = { ...WIDE_LIMITS, answering: 150 };
    const { all, error } = await collectUntilError(clientOf(transport, limits).stream(REQUEST, NEVER));
    assert.equal((sumOf(all) as { answer: string }).answer, 'half');
    assert.ok(error instanceof ServiceError);
    assert.deepEqual(error.details, { phase: 'answering', silentMs: 600, keptAlive: true });
  });

  it('E9 is not given up while it sends keep-alives, in any phase', async () => {
    async function* body(): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < 5; i++) {
        await sleep(80);
        yield utf8(': PROCESSING\n\n');
      }
      yield utf8(sse(chunkOf({ reasoning_content: 'r' })));
      for (let i = 0; i < 5; i++) {
        await sleep(80);
        yield utf8(':\n');
      }
      yield utf8(sse(chunkOf({ content: 'a' }, 'stop'), '[DONE]'));
    }
    const transport: Transport = async () => ({ status: 200, headers: {}, body: body() });
    const limits = { connecting: 300, 'first-byte': 300, reasoning: 300, answering: 300 };
    const events = await collect(clientOf(transport, limits).stream(REQUEST, NEVER));
    assert.equal((sumOf(events) as { answer: string }).answer, 'a');
    assert.equal(events.filter((event) => event.type === 'keep-alive').length, 10);
  });

  it('E9 is given up while models are listed', async () => {
    const { transport } = stalling('headers');
    const client = clientOf(transport, { ...WIDE_LIMITS, 'first-byte': 20 });
    await assert.rejects(client.models(NEVER), (error) => kindOf(error) === 'silent');
  });

  it('leaves no connection behind if the error body of the list of models never ends', async () => {
    const { transport, released } = stalling('error body');
    const client = clientOf(transport, { ...WIDE_LIMITS, errorBody: 20 });
    await assert.rejects(client.models(NEVER), (error) => kindOf(error) === 'server-failed');
    assert.ok(released());
  });
});

describe('A user who stops', () => {
  for (const [stall] of STALLS) {
    it(`E9 stops the request at once while ${stall}, and the connection is closed`, async () => {
      const { transport, released } = stalling(stall);
      const reader = new AbortController();
      const reason = new Error('stopped');
      setTimeout(() => reader.abort(reason), 15);
      const { error } = await collectUntilError(clientOf(transport).stream(REQUEST, reader.signal));
      assert.equal(error, reason);
      assert.ok(released());
    });
  }

  it('E6 stops the request at once during the pause before a retry', async () => {
    const transport = scripted(RATE_LIMITED, OK);
    const reader = new AbortController();
    setTimeout(() => reader.abort(new Error('stopped')), 20);
    const { error } = await collectUntilError(clientOf(transport).stream(REQUEST, reader.signal));
    assert.match(String(error), /stopped/);
    assert.equal(transport.requests.length, 1);
  });

  it('E6 stops the request when the pause is reported, before it starts', async () => {
    const transport = scripted({ ...RATE_LIMITED, headers: { 'retry-after': '25' } }, OK);
    const reader = new AbortController();
    const began = Date.now();
    await assert.rejects(async () => {
      for await (const event of clientOf(transport).stream(REQUEST, reader.signal)) {
        if (event.type === 'pause') reader.abort(new Error('stopped'));
      }
    }, /stopped/);
    assert.ok(Date.now() - began < 20_000, 'does not sit the pause out');
    assert.equal(transport.requests.length, 1);
  });

  it('stops the request before anything is sent', async () => {
    const transport = scripted(OK);
    const stopped = AbortSignal.abort(new Error('stopped'));
    const { all, error } = await collectUntilError(clientOf(transport).stream(REQUEST, stopped));
    assert.deepEqual(all, []);
    assert.match(String(error), /stopped/);
    assert.equal(transport.requests.length, 0);
  });

  it('stops the request while models are listed', async () => {
    const { transport } = stalling('headers');
    await assert.rejects(clientOf(transport).models(AbortSignal.timeout(15)), { name: 'TimeoutError' });
  });

  for (const leaveAt of ['try', 'connected', 'headers', 'chunk'] as const) {
    it(`leaves no connection behind if the iteration ends at the event ${leaveAt}`, async () => {
      const { transport, released } = stalling('answering');
      for await (const event of clientOf(transport).stream(REQUEST, NEVER)) {
        if (event.type === leaveAt) break;
      }
      if (leaveAt !== 'try') assert.ok(released());
    });
  }

  it('does not stop another request of the same client', async () => {
    const client = clientOf(async ({ signal }) => {
      signal.throwIfAborted();
      return { status: 200, headers: {}, body: bytesOf(COMPLETE) };
    });
    const reader = new AbortController();
    const first = client.stream(REQUEST, reader.signal)[Symbol.asyncIterator]();
    await first.next();
    const second = collect(client.stream(REQUEST, NEVER));
    reader.abort();
    assert.equal((await second).at(-1)?.type, 'done');
    await assert.rejects(async () => {
      for (let step = await first.next(); !step.done; step = await first.next());
    });
  });
});
