import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { isFree } from '../../../../src/editor/conversations/freeConversation.ts';
import { openWorld } from '../../../support/windows/world.ts';
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

describe('A new conversation', () => {
  it('is another one than that in which the question of a command is about to be sent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'k3-new-'));
    const world = await openWorld(folder, 1);
    const [window] = world.windows;
    assert.ok(window);
    const { conversations } = window;
    try {
      const { id } = conversations.current();
      assert.equal(conversations.create().id, id, 'it is empty');
      window.hold();
      const asking = world.clock.as(window.name, () =>
        conversations.ask(id, { text: 'Explain', images: [], origin: undefined }),
      );
      await world.clock.settle();
      const { id: other } = world.clock.as(window.name, () => conversations.create());
      assert.notEqual(other, id);
      window.letGo();
      await world.clock.settle();
      assert.ok((await asking).ok);
      assert.deepEqual(
        [id, other].map((one) => conversations.get(one)?.exchanges.length),
        [1, 0],
      );
    } finally {
      window.kill();
      world.clock.restore();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
