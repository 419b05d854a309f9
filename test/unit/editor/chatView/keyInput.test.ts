/** The input for a key, which asking a question again opens when there is none. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Intent } from '../../../../src/editor/chatView/intents.ts';
import { commands } from '../../../support/editorStub.ts';
import type { Window } from '../../../support/windows/window.ts';
import { openWorld, type World } from '../../../support/windows/world.ts';

describe('The input for a key says that it is closed, so that the chat has the focus again,', () => {
  const { executeCommand } = commands;
  let folder: string;
  let world: World;
  let window: Window;
  let turnId: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'k3-key-'));
    world = await openWorld(folder, 1);
    window = world.windows[0] ?? assert.fail();
    const { id } = window.conversations.current();
    const asking = world.clock.as(window.name, () =>
      window.conversations.ask(id, { text: 'Which boat?', images: [], origin: undefined }),
    );
    await world.clock.settle();
    const asked = await asking;
    assert.ok(asked.ok);
    turnId = asked.turnId;
    world.service.requests[0]?.finish('cut');
    await world.clock.settle();
    window.lack('key');
    // The user closes it.
    Object.assign(commands, { executeCommand: async (command: string) => command !== 'k3.setKey' });
  });
  afterEach(async () => {
    Object.assign(commands, { executeCommand });
    window.kill();
    world.clock.restore();
    await rm(folder, { recursive: true, force: true });
  });

  const messages: Readonly<Record<string, () => Intent>> = {
    Regenerate: () => ({ type: 'regenerate', turnId }),
    Retry: () => ({ type: 'action', action: 'retry', turnId }),
    Continue: () => ({ type: 'action', action: 'continue', turnId }),
    'Summarize and continue': () => ({ type: 'action', action: 'summarize', turnId }),
  };
  for (const [name, toMessage] of Object.entries(messages))
    it(`after ${name}`, async () => {
      const { id } = window.conversations.current();
      const closed: (boolean | undefined)[] = [];
      const receiving = window.intents.receive(toMessage(), id, window.composers.of(id), (chosen) =>
        closed.push(chosen),
      );
      await world.clock.settle();
      await receiving;
      assert.deepEqual(closed, [false]);
    });
});
