import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findWaiting, type WaitingCall } from '../../../../src/conversation/toolCalls/waitingCalls.ts';

const waitingFor = (approval: string, more: Partial<WaitingCall['call']> = {}): WaitingCall => ({
  approval,
  conversationId: 'one',
  call: { id: 'ping_0', name: 'list', arguments: { path: 'a' }, ...more },
  tool: { name: 'list', description: 'Lists.', parameters: {}, source: 'x' },
});
const shown = { id: 'ping_0', name: 'list', arguments: '{ "path": "a" }' };

describe('The request for an approval of a call', () => {
  it('is the one with the tool and the arguments that are shown', () => {
    assert.equal(findWaiting([waitingFor('1')], 'one', shown)?.approval, '1');
    const empty = [waitingFor('2', { arguments: {} })];
    assert.equal(findWaiting(empty, 'one', { ...shown, arguments: ' ' })?.approval, '2');
  });

  it('is not one with the same id for another conversation, tool, or arguments', () => {
    assert.equal(findWaiting([waitingFor('1')], 'two', shown), undefined);
    assert.equal(findWaiting([waitingFor('1', { name: 'delete' })], 'one', shown), undefined);
    assert.equal(findWaiting([waitingFor('1', { arguments: { path: 'b' } })], 'one', shown), undefined);
    assert.equal(findWaiting([waitingFor('1')], 'one', { ...shown, arguments: '{"path"' }), undefined);
  });
});
