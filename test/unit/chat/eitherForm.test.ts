import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DECLINED, streamInEitherForm } from '../../../src/chat/eitherForm.ts';
import type { StreamEvent } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import type { ChatRequest } from '../../../src/service/types.ts';
import { collectUntilError, NEVER, REQUEST } from '../service/wire.ts';

const WITH_IMAGE: ChatRequest = {
  ...REQUEST,
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'ms://f1' } }] },
  ],
};
const refused = new ServiceError('invalid-request', { status: 400, serviceMessage: 'the first refusal' });
const HEADERS: StreamEvent = { type: 'headers', requestId: undefined };

/** Streams with a service that gives these replies, one for each request. */
async function stream(
  replies: readonly (readonly StreamEvent[] | Error)[],
  { request = WITH_IMAGE, signal = NEVER, agrees = true } = {},
) {
  const sent: ChatRequest[] = [];
  const client = {
    async *stream(one: ChatRequest) {
      const reply = replies[sent.length] ?? [];
      sent.push(one);
      yield { type: 'try', tries: 1 } as const;
      if (reply instanceof Error) throw reply;
      yield* reply;
    },
  };
  const { all, error } = await collectUntilError(
    streamInEitherForm(client, async () => agrees, request, signal),
  );
  return { sent, types: all.map(({ type }) => type), error };
}

describe('A request that can be sent in two forms', () => {
  it('is sent once if it is accepted', async () => {
    const { sent, types } = await stream([[HEADERS]]);
    assert.deepEqual(sent, [WITH_IMAGE]);
    assert.deepEqual(types, ['try', 'headers']);
  });

  it('is sent again with arrays if it is refused, and says so once that is accepted', async () => {
    const { sent, types, error } = await stream([refused, [HEADERS]]);
    assert.deepEqual(sent[1]?.messages[0], {
      role: 'system',
      content: [{ type: 'text', text: 'Be brief.' }],
    });
    assert.deepEqual(types, ['try', 'try', 'content-parts', 'headers']);
    assert.equal(error, undefined);
  });

  it('is not sent a third time, and ends with the first refusal', async () => {
    const again = new ServiceError('invalid-request', { status: 400, serviceMessage: 'the second refusal' });
    const { sent, types, error } = await stream([refused, again]);
    assert.equal(sent.length, 2);
    assert.deepEqual(types, ['try', 'try']);
    assert.equal(error, refused);
  });

  it('ends with the other failure if the second request fails in another way', async () => {
    const limited = new ServiceError('rate-limited', { status: 429 });
    assert.equal((await stream([refused, limited])).error, limited);
  });

  it('is not sent again without an image, after another failure, or once it was stopped', async () => {
    assert.equal((await stream([refused], { request: REQUEST })).sent.length, 1);
    assert.equal((await stream([new ServiceError('bad-key', { status: 401 })])).sent.length, 1);
    assert.equal((await stream([refused], { signal: AbortSignal.abort() })).sent.length, 1);
  });

  it('is not sent again if the user does not agree to its cost', async () => {
    const { sent, error } = await stream([refused, [HEADERS]], { agrees: false });
    assert.deepEqual([sent.length, error], [1, DECLINED]);
  });
});
