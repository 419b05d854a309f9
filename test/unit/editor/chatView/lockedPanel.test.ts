/** A chat tab that is restored while another program has the database locked. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ChatPanelDeps } from '../../../../src/editor/chatView/chatPanel.ts';
import { EventEmitter } from '../../../support/editorStub.ts';
import { openPanel, type PlayedPanel } from '../../../support/windows/panel.ts';
import type { Window } from '../../../support/windows/window.ts';
import { openSide, openWorld, pass, type World } from '../../../support/windows/world.ts';

describe('A chat tab that is restored while the database is locked', () => {
  let folder: string;
  let world: World;
  let window: Window;
  let tab: PlayedPanel;
  /** The conversation of the tab, and the one that is shown meanwhile. */
  let earlier: string;
  let meanwhile: string;
  /** The conversations that the page was sent. */
  let shown: string[];
  /** The conversations that the page keeps for a reload instead of those. */
  let kept: (string | undefined)[];
  let banners: readonly string[];
  let recalled: readonly string[] | undefined;
  let opens: EventEmitter<void>;
  let storage: ChatPanelDeps['storage'];
  let isInFront: boolean;

  const inWindow = <Result>(of: Window, run: () => Result): Result => world.clock.as(of.name, run);
  function unlock(): void {
    world.locked.delete(window.name);
    inWindow(window, () => opens.fire());
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'k3-locked-'));
    world = await openWorld(folder, 1);
    const before = world.windows[0] ?? assert.fail();
    earlier = inWindow(before, () => before.conversations.current().id);
    const question = { text: 'Begin', images: [], origin: undefined };
    const asking = inWindow(before, () => before.conversations.ask(earlier, question));
    await world.clock.settle();
    assert.ok((await asking).ok);
    world.service.requests[0]?.finish('complete');
    await world.clock.settle();
    before.close();

    window = openSide(world, 0, true);
    meanwhile = inWindow(window, () => window.conversations.current().id);
    [shown, kept] = [[], []];
    isInFront = true;
    opens = new EventEmitter();
    const history = {
      isOpen: () => !world.locked.has(window.name),
      recentQuestions: () => assert.fail('the database is locked'),
    };
    storage = { history, onDidOpen: opens.event } as unknown as ChatPanelDeps['storage'];
    tab = openPanel(
      window,
      world.clock,
      earlier,
      (message) => {
        if (message.type === 'snapshot') {
          shown.push(message.panel.conversationId);
          kept.push(message.panel.opened);
        }
        const { surroundings } =
          message.type === 'snapshot' ? message.panel : message.type === 'surroundings' ? message : {};
        banners = surroundings?.banners.map(({ text }) => text) ?? banners;
        if (message.type === 'recalled') recalled = message.texts;
      },
      storage,
      () => isInFront,
    );
    tab.say({ message: { type: 'ready' } });
    await world.clock.settle();
    assert.deepEqual(shown, [meanwhile]);
  });
  afterEach(async () => {
    tab.panel.dispose();
    window.close();
    world.clock.restore();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows its conversation when it can be read', async () => {
    // The lock lasts so long that the page asks for everything again.
    tab.say({ message: { type: 'ready' } });
    unlock();
    await world.clock.settle();
    assert.deepEqual([shown.at(-1), tab.panel.visibleId()], [earlier, earlier]);
  });

  it('shows its conversation when it is shown again, if it was hidden when that could be read', async () => {
    tab.panel.setVisible(false);
    unlock();
    tab.panel.setVisible(true);
    tab.say({ message: { type: 'ready' } });
    await world.clock.settle();
    assert.equal(shown.at(-1), earlier);
  });

  it('stays where the user has written meanwhile', async () => {
    tab.say({ message: { type: 'draft', text: 'Half' }, conversationId: meanwhile });
    unlock();
    await world.clock.settle();
    assert.deepEqual([shown.at(-1), tab.panel.visibleId()], [meanwhile, meanwhile]);
  });

  it('stays where the user has written meanwhile, also if another tab is in front by then', async () => {
    tab.say({ message: { type: 'draft', text: 'Half' }, conversationId: meanwhile });
    isInFront = false;
    unlock();
    await world.clock.settle();
    assert.deepEqual([shown.at(-1), kept.at(-1)], [meanwhile, undefined]);
  });

  it('stays where an image is being attached', async () => {
    const image = { name: 'a.png', cancel: () => undefined, done: Promise.resolve() };
    inWindow(window, () => {
      window.composers.of(meanwhile).working = [image];
    });
    tab.say({ message: { type: 'attach-addresses', addresses: [] }, conversationId: meanwhile });
    unlock();
    await world.clock.settle();
    assert.equal(shown.at(-1), meanwhile);
  });

  it('shows its conversation when it can be read, also if the user has written in another tab meanwhile', async () => {
    const elsewhere: string[] = [];
    isInFront = false;
    const other = openPanel(
      window,
      world.clock,
      earlier,
      (message) => message.type === 'snapshot' && elsewhere.push(message.panel.conversationId),
      storage,
    );
    other.say({ message: { type: 'ready' } });
    other.say({ message: { type: 'typed', text: 'Half' }, conversationId: meanwhile });
    // Each page sends its text again when it loses the focus.
    other.say({ message: { type: 'draft', text: 'Half' }, conversationId: meanwhile });
    tab.say({ message: { type: 'draft', text: 'Half' }, conversationId: meanwhile });
    unlock();
    await world.clock.settle();
    assert.deepEqual([shown.at(-1), elsewhere.at(-1)], [earlier, meanwhile]);
    assert.equal(window.composers.of(meanwhile).draft, 'Half');
    other.panel.dispose();
  });

  it('shows its conversation when it can be read, also if it is in front but the user has written elsewhere', async () => {
    isInFront = false;
    inWindow(window, () => {
      window.composers.of(meanwhile).draft = 'Half';
      window.composers.changed(meanwhile);
    });
    isInFront = true;
    unlock();
    await world.clock.settle();
    assert.equal(shown.at(-1), earlier);
  });

  it('stays where the user types the first key at that moment', async () => {
    tab.say({ message: { type: 'typed', text: 'H' }, conversationId: meanwhile });
    unlock();
    await world.clock.settle();
    assert.equal(shown.at(-1), meanwhile);
  });

  it('is known to its page, for a reload, until it is shown or the user stays in the other one', async () => {
    assert.deepEqual(kept, [earlier]);
    unlock();
    await world.clock.settle();
    assert.deepEqual([shown.at(-1), kept.at(-1)], [earlier, undefined]);
  });

  it('shows its conversation when that can be read, also if the database was open all the time', async () => {
    world.locked.delete(window.name);
    await pass(world, 2100);
    assert.deepEqual([shown.at(-1), tab.panel.visibleId(), kept.at(-1)], [earlier, earlier, undefined]);
  });

  it('says that its conversation can’t be read, until it can be', async () => {
    assert.deepEqual(banners, ['The conversation can’t be read now. Try again later.']);
    const side: string[][] = [];
    openPanel(window, world.clock, meanwhile, (message) => {
      if (message.type === 'snapshot') side.push(message.panel.surroundings.banners.map(({ text }) => text));
    }).say({ message: { type: 'ready' } });
    world.locked.delete(window.name);
    await pass(world, 2100);
    assert.deepEqual([shown.at(-1), banners], [earlier, []]);
    assert.deepEqual(side[0], ['The conversation can’t be read now. Try again later.'], 'the side bar');
  });

  it('says so no more when the user goes on in the one that is shown instead', async () => {
    tab.say({ message: { type: 'typed', text: 'Half' }, conversationId: meanwhile });
    unlock();
    await pass(world, 2100);
    assert.deepEqual([shown.at(-1), banners], [meanwhile, []]);
  });

  it('stays in the conversation that was opened there meanwhile', async () => {
    const other = inWindow(window, () => window.conversations.createAside('Other').id);
    inWindow(window, () => tab.panel.show(other));
    unlock();
    await world.clock.settle();
    assert.equal(shown.at(-1), other);
  });

  for (const begin of ['a key', 'an image'] as const)
    it(`is not opened in the side bar where the user has begun with ${begin} at that moment`, async () => {
      await pass(world, 1900);
      const composer = inWindow(window, () => window.composers.of(meanwhile));
      const image = { name: 'a.png', cancel: () => undefined, done: Promise.resolve() };
      inWindow(window, () => {
        if (begin === 'a key') composer.draft = 'H';
        else composer.working = [image];
      });
      world.locked.delete(window.name);
      await pass(world, 200);
      assert.equal(
        inWindow(window, () => window.conversations.current().id),
        meanwhile,
      );
    });

  it('has the questions that were asked meanwhile, when the user looks for earlier ones', async () => {
    const question = { text: 'And now?', images: [], origin: undefined };
    const asking = inWindow(window, () => window.conversations.ask(meanwhile, question));
    await world.clock.settle();
    assert.ok((await asking).ok);
    tab.say({ message: { type: 'recall' } });
    await world.clock.settle();
    assert.deepEqual(recalled, ['And now?']);
  });
});
