import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isFree } from '../../../../src/editor/conversations/freeConversation.ts';
import { conversation } from '../../history/support.ts';

describe('A conversation that a command could ask in', () => {
  const idle = {
    get: () => conversation('c1', []),
    isRunning: () => false,
    holder: () => undefined,
  };

  it('is free while nothing runs in it', () => assert.ok(isFree(idle, 'c1')));

  it('is not free during an answer here or in another window, and after it was deleted', () => {
    const busy = [
      { ...idle, isRunning: () => true },
      { ...idle, holder: () => ({ conversationId: 'c1', place: 'another window' }) },
      { ...idle, get: () => undefined },
    ];
    assert.deepEqual(
      busy.map((one) => isFree(one, 'c1')),
      [false, false, false],
    );
  });
});
