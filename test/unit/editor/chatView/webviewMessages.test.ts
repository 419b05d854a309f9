import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parsePageMessage } from '../../../../src/editor/chatView/webviewMessages.ts';

describe('What a page says', () => {
  it('is a message of a known type, with the conversation that was on the page', () => {
    const said = { message: { type: 'send', text: 'Hello' }, conversationId: 'c1' };
    assert.deepEqual(parsePageMessage(said), said);
  });

  it('names no conversation before there is one', () => {
    const said = { message: { type: 'ready' } };
    assert.deepEqual(parsePageMessage(said), { ...said, conversationId: undefined });
  });

  for (const said of [
    undefined,
    null,
    'send',
    {},
    { type: 'send' },
    { message: null },
    { message: 'send' },
    { message: { type: 7 } },
    { message: { type: 'delete-everything' } },
    { message: { type: 'toString' } },
  ])
    it(`is nothing when it is ${JSON.stringify(said)}`, () =>
      assert.equal(parsePageMessage(said), undefined));
});
