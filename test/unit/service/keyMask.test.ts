/** What is shown, logged, and kept of a service that repeats the key (docs/security.md, Addresses and keys). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createClient, type StreamEvent } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import {
  COMPLETE,
  chunkOf,
  collectUntilError,
  NEVER,
  REQUEST,
  type Reply,
  ROUTE,
  scripted,
  sse,
} from './wire.ts';

/** With characters that JSON and addresses write in another way. */
const KEY = 'sk-"quoted"/and+more=\\0123456789';
const PARTS = Array.from({ length: KEY.length - 5 }, (_, start) => KEY.slice(start, start + 6));

async function play(key: string, ...replies: Reply[]) {
  const client = createClient({
    transport: scripted(...replies),
    route: ROUTE,
    key,
    random: () => 0,
    pause: async () => undefined,
  });
  const { all, error } = await collectUntilError<StreamEvent>(client.stream(REQUEST, NEVER));
  return { all, error };
}

const errorOf = async (reply: Reply): Promise<ServiceError> => {
  const { error } = await play(KEY, reply);
  assert.ok(error instanceof ServiceError);
  return error;
};

const withMessage = (message: string, status = 401): Reply => ({
  status,
  body: JSON.stringify({ error: { message } }),
});

describe('A service that repeats the key', () => {
  it('is quoted without it, whatever its characters are', async () => {
    const { details, message } = await errorOf(withMessage(`Invalid token: Bearer ${KEY}.`));
    assert.equal(details.serviceMessage, 'Invalid token: Bearer •••.');
    assert.equal(message, 'Invalid token: Bearer •••.');
  });

  it('is quoted without it in the form of addresses, of JSON, and in Base64', async () => {
    const forms = [
      encodeURIComponent(KEY),
      encodeURIComponent(KEY).toLowerCase(),
      JSON.stringify(KEY).slice(1, -1),
      Buffer.from(KEY).toString('base64'),
      Buffer.from(KEY).toString('base64url'),
    ];
    for (const form of forms) {
      const { details } = await errorOf(withMessage(`It was ${form}, wasn’t it?`));
      assert.equal(details.serviceMessage, 'It was •••, wasn’t it?');
    }
  });

  it('is quoted without it in the address of a redirect', async () => {
    const location = `https://a.example/sign-in?token=${encodeURIComponent(KEY)}`;
    const { details } = await errorOf({ status: 307, headers: { location } });
    assert.equal(details.location, 'https://a.example/sign-in?token=•••');
  });

  for (const before of [0, 370, 385, 393, 399]) {
    it(`is quoted without it and its beginning, ${before} characters into a text that is cut off`, async () => {
      const page = `${'x'.repeat(before)}${KEY}${'y'.repeat(500)}`;
      for (const reply of [{ status: 401, body: page }, { body: page }, { body: sse(page) }]) {
        const { details } = await errorOf(reply);
        assert.equal(details.excerpt?.startsWith('x'.repeat(before)), true);
        for (const part of PARTS)
          assert.ok(!details.excerpt?.includes(part), `${details.excerpt} has ${part}`);
      }
    });
  }

  it('is quoted without it and its beginning where a long message is cut off', async () => {
    const asText = (body: string): Reply => ({ status: 400, body });
    for (const [length, replyOf] of [
      [2000, asText],
      [10_000, withMessage],
    ] as const)
      for (let before = length - KEY.length - 2; before <= length; before++) {
        const long = `No such: ${'x'.repeat(before - 9)}${KEY}${'y'.repeat(500)}`;
        const { details, message } = await errorOf(replyOf(long));
        for (const part of PARTS) assert.ok(!message.includes(part), `${before}: ${message.slice(-60)}`);
        assert.match(details.serviceMessage ?? '', /…$/);
      }
  });

  it('is quoted without it in the error of a stream, and before another try', async () => {
    const error = { error: { message: `Sorry, ${KEY}`, type: 'server_error', code: KEY } };
    const inStream = await errorOf({ body: sse(chunkOf({ content: 'Half' }), error) });
    assert.deepEqual([inStream.details.serviceMessage, inStream.details.code], ['Sorry, •••', '•••']);
    const { all } = await play(KEY, withMessage(KEY, 503), { body: COMPLETE });
    const pause = all.find(({ type }) => type === 'pause');
    assert.ok(pause?.type === 'pause');
    assert.equal(pause.error.details.serviceMessage, '•••');
  });

  it('is logged without it: in the id of the request, of the response, and in the name of the model', async () => {
    const chunk = { ...chunkOf({ content: 'Yes.' }, KEY), id: `r-${KEY}`, model: `m-${KEY}` };
    const { all } = await play(KEY, { headers: { 'x-request-id': `q-${KEY}` }, body: sse(chunk, '[DONE]') });
    const headers = all.find(({ type }) => type === 'headers');
    assert.ok(headers?.type === 'headers');
    assert.equal(headers.requestId, 'q-•••');
    const first = all.find(({ type }) => type === 'chunk');
    assert.ok(first?.type === 'chunk');
    assert.deepEqual([first.chunk.id, first.chunk.model], ['r-•••', 'm-•••']);
    for (const part of PARTS) assert.ok(!JSON.stringify(all).includes(JSON.stringify(part).slice(1, -1)));
  });

  it('is listed without it among its models', async () => {
    const body = JSON.stringify({ data: [{ id: 'svc-k3' }, { id: `for-${KEY}` }] });
    const client = createClient({ transport: scripted({ body }), route: ROUTE, key: KEY });
    assert.deepEqual(await client.models(NEVER), ['svc-k3', 'for-•••']);
  });

  it('is not changed in what the model wrote: the key can be in a file of the user, and a hunk must fit there', async () => {
    const { all } = await play(KEY, {
      body: sse(chunkOf({ reasoning_content: KEY }), chunkOf({ content: KEY }, 'stop'), '[DONE]'),
    });
    const chunks = all.flatMap((event) => (event.type === 'chunk' ? [event.chunk] : []));
    assert.equal(chunks.map(({ answer }) => answer).join(''), KEY);
    assert.equal(chunks.map(({ reasoning }) => reasoning?.text ?? '').join(''), KEY);
  });

  it('is quoted unchanged when the key is so short that it would be part of words', async () => {
    const { error } = await play('k', withMessage('The key is unknown.'));
    assert.ok(error instanceof ServiceError);
    assert.equal(error.details.serviceMessage, 'The key is unknown.');
  });
});
