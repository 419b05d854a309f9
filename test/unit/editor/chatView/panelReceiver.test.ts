import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { HostMessage } from '../../../../src/panel/messages.ts';
import { openPanel, type PlayedPanel } from '../../../support/windows/panel.ts';
import { openWorld, type World } from '../../../support/windows/world.ts';

describe('A page that sends a message', () => {
  let folder: string;
  let world: World;
  let played: PlayedPanel;
  let received: HostMessage[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'k3-receiver-'));
    world = await openWorld(folder, 1);
    received = [];
    const [window] = world.windows;
    assert.ok(window);
    const { id } = window.conversations.current();
    played = openPanel(window, world.clock, id, (message) => received.push(message));
    played.say({ message: { type: 'ready' } });
    played.say({ message: { type: 'send', text: 'Why?' }, seen: 1 });
    await world.clock.settle();
  });
  afterEach(async () => {
    played.panel.dispose();
    for (const window of world.windows) window.kill();
    world.clock.restore();
    await rm(folder, { recursive: true, force: true });
  });

  const taken = () => received.filter(({ type }) => type === 'taken');
  const ready = (seen?: number) => played.say({ message: { type: 'ready' }, seen });

  it('is told once more that it was taken if it has missed that, after the snapshot', () => {
    const [first, ...others] = taken();
    assert.deepEqual([first?.type, others], ['taken', []]);
    ready((first?.seq ?? 0) - 1);
    assert.equal(taken().length, 2);
    assert.equal(received.at(-1)?.type, 'taken');
    // That one is lost as well.
    ready((first?.seq ?? 0) - 1);
    assert.equal(taken().length, 3);
    ready(received.at(-1)?.seq);
    assert.equal(taken().length, 3);
  });

  it('is not told so when it is a new one, whose box has the draft', () => {
    ready();
    assert.equal(taken().length, 1);
    const last = received.at(-1);
    assert.equal(last?.type === 'snapshot' && last.panel.draft, '');
  });
});
