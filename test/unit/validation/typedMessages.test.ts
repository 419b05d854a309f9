import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as v from 'valibot';
import { describeWrong } from '../../../src/validation/decode.ts';
import { decodeMessage, type MessageDecoders, message } from '../../../src/validation/typedMessages.ts';

type ModelResponse = { readonly type: 'ready' } | { readonly type: 'open'; readonly id: string };

const DECODERS: MessageDecoders<ModelResponse> = {
  ready: message('ready', {}),
  open: message('open', { id: v.string() }),
};

const wrongOf = (value: unknown) => {
  const decoded = decodeMessage<ModelResponse>(DECODERS, value);
  return decoded.ok ? undefined : describeWrong(decoded.wrong);
};

describe('A message with a type', () => {
  it('is decoded by its type', () => {
    const said = { type: 'open', id: 'c1' };
    assert.deepEqual(decodeMessage<ModelResponse>(DECODERS, said), { ok: true, value: said });
  });

  it('is refused with the invalid field', () => {
    assert.equal(wrongOf(null), 'it should be an object');
    assert.equal(wrongOf({}), 'type should be text');
    assert.equal(wrongOf({ type: 'close' }), 'type should be a known one');
    assert.equal(wrongOf({ type: 'constructor' }), 'type should be a known one');
    assert.equal(wrongOf({ type: 'open', id: 7 }), 'open.id should be text');
  });

  it('has a decoder for each type, or it does not compile', () => {
    // @ts-expect-error: `open` has none.
    const some: MessageDecoders<ModelResponse> = { ready: message('ready', {}) };
    // @ts-expect-error: the id of `open` is not checked.
    const half: MessageDecoders<ModelResponse> = { ...some, open: message('open', {}) };
    assert.ok(half);
  });
});
