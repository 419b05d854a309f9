import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toPrefix } from '../../../../src/conversation/requestMessages/prefix.ts';
import {
  toReadableRequest,
  toRequestParts,
} from '../../../../src/conversation/requestMessages/requestParts.ts';
import type { ChatRequest, Message } from '../../../../src/service/types.ts';
import { completeTurn } from '../turns.ts';

const request = (...messages: readonly Message[]): ChatRequest => ({
  model: 'svc-k3',
  messages,
  stream: true,
  stream_options: { include_usage: true },
});
const user = (content: string): Message => ({ role: 'user', content });

describe('Parts of a request', () => {
  it('show what is unchanged since the last request, and what is new', () => {
    const first = request(user('one'));
    const turn = completeTurn('x', { prefix: toPrefix(first) });
    const next = request(user('one'), { role: 'assistant', content: 'x' }, user('two'));
    assert.deepEqual(
      toRequestParts(next, turn).map(({ kind, unchanged }) => [kind, unchanged]),
      [
        ['model', true],
        ['user', true],
        ['assistant', false],
        ['user', false],
      ],
    );
  });

  it('have no question that is not written yet', () => {
    const next = request(user('one'), { role: 'assistant', content: 'x' }, user('(your question)'));
    const kinds = toRequestParts(next, undefined, false).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['model', 'user', 'assistant']);
  });

  it('are all new without an earlier request', () => {
    assert.ok(toRequestParts(request(user('one')), undefined).every(({ unchanged }) => !unchanged));
  });

  it('count bytes as sent, and a fixed number of tokens for images', () => {
    const image: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'ä' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(4000)}` } },
      ],
    };
    const part = toRequestParts(request(image), undefined).at(-1);
    assert.equal(part?.images, 1);
    assert.equal(part?.tokens, 2001);
    assert.equal(part?.bytes, Buffer.byteLength(JSON.stringify(image)));
    const readable = toReadableRequest(request(image));
    assert.ok(readable.length < 600 && readable.includes('characters)'));
  });
});
