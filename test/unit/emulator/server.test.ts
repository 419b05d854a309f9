import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, describe, it } from 'mocha';
import type { Emulator } from '../../../src/emulator/server.ts';
import { eventually } from '../../support/eventually.ts';
import { ask, question, startFast, streamed, toJson } from './plainClient.ts';

/** Without a network: a server that listens on all addresses is reachable at this one too. */
const OTHER_LOOPBACK = '127.0.0.2';

describe('The emulator as a local server', () => {
  let emulator: Emulator;
  before(async () => {
    emulator = await startFast();
  });
  after(() => emulator.close());

  it('refuses web pages of any origin', async () => {
    for (const origin of ['https://example.com', 'null', emulator.url]) {
      assert.equal((await ask(emulator, question(), { headers: { origin } })).status, 403);
    }
  });

  it('refuses a Host other than this machine', async () => {
    assert.equal((await ask(emulator, question(), { headers: { host: 'evil.example:80' } })).status, 403);
    assert.equal(
      (await ask(emulator, question(), { headers: { host: '127.0.0.1.evil.example' } })).status,
      403,
    );
    assert.equal((await ask(emulator, question(), { headers: { host: 'localhost:1234' } })).status, 200);
  });

  it('listens only on the loopback address', async () => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((one) => one !== undefined && !one.internal && one.family === 'IPv4')?.address;
    const outcome = await new Promise((resolve) => {
      const socket = connect(Number(new URL(emulator.url).port), address ?? OTHER_LOOPBACK);
      socket.on('connect', () => resolve('connected')).on('error', () => resolve('refused'));
    });
    assert.equal(outcome, 'refused');
  });

  it('M1: lists its models for the correct key', async () => {
    const reply = await ask(emulator, undefined, { method: 'GET', path: '/v1/models' });
    assert.deepEqual([reply.status, toJson(reply.text)['data']?.[0]?.['id']], [200, 'svc-k3']);
    const headers = { authorization: 'Bearer wrong' };
    assert.equal(
      (await ask(emulator, undefined, { method: 'GET', path: '/v1/models', headers })).status,
      401,
    );
  });

  it('has no other paths and methods', async () => {
    for (const path of ['/', '/v1', '/v1/v1/chat/completions', '/chat/completions', '/s/no-such/v1/models']) {
      assert.equal((await ask(emulator, question(), { path })).status, 404, path);
    }
    const reply = await ask(emulator, undefined, { method: 'GET' });
    assert.deepEqual([reply.status, reply.headers['allow']], [405, 'POST']);
    assert.equal((await ask(emulator, question(), { path: '/v1/models' })).status, 405);
  });

  it('records requests, and whether the client disconnected', async () => {
    const body = question({ messages: [{ role: 'user', content: 'Remember this.' }] });
    await ask(emulator, body);
    const last = emulator.requests.at(-1);
    assert.deepEqual(
      [last?.path, last?.body, last?.state, last?.status],
      ['/v1/chat/completions', JSON.stringify(body), 'answered', 200],
    );
    const reply = await ask(emulator, streamed(), {
      path: '/s/stall-answer/v1/chat/completions',
      patience: 500,
    });
    assert.equal(reply.ending, 'timeout');
    await eventually(() =>
      assert.deepEqual(
        [emulator.requests.at(-1)?.state, emulator.requests.at(-1)?.scenario],
        ['client-left', 'stall-answer'],
      ),
    );
  });

  it('reports a port that it cannot use', async () => {
    const port = Number(new URL(emulator.url).port);
    await assert.rejects(startFast({ port }), /EADDRINUSE/);
  });

  it('closes immediately, even during a stream', async () => {
    const other = await startFast();
    const reply = ask(other, streamed(), { path: '/s/keep-alives/v1/chat/completions' });
    await eventually(() => assert.equal(other.requests.length, 1));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await other.close();
    assert.equal((await reply).ending, 'cut');
  });

  it('keeps the given pace', async () => {
    const slow = await startFast({ tokensPerSecond: 400, firstTokenDelayMs: 100 });
    const start = performance.now();
    await ask(slow, streamed({ max_completion_tokens: 80 }));
    const elapsed = performance.now() - start;
    await slow.close();
    assert.ok(elapsed > 250 && elapsed < 5000, `${elapsed} ms`);
  });
});
