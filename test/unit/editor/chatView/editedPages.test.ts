/** The boxes of edited questions on the pages of a window. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { HostMessage, WebviewMessage } from '../../../../src/panel/messages.ts';
import { createEditBox } from '../../../../src/webview/composer/editBox.ts';
import { openPanel, type PlayedPanel } from '../../../support/windows/panel.ts';
import type { Window } from '../../../support/windows/window.ts';
import { openSide, openWorld, type World } from '../../../support/windows/world.ts';

describe('Edited questions on the pages of a window', () => {
  let folder: string;
  let world: World;
  let window: Window;
  let id: string;
  let other: string;
  let exchanges: readonly string[];
  let panels: PlayedPanel['panel'][];

  /** A page with its box, which gets each message at once. */
  function openPage(conversationId = id) {
    let shown: string | undefined;
    let box: ReturnType<typeof createEditBox>;
    const played = openPanel(window, world.clock, conversationId, (message) => receive(message));
    const post = (message: WebviewMessage, to = shown) => played.say({ message, conversationId: to });
    function receive(message: HostMessage): void {
      if (message.type === 'snapshot') {
        shown = message.panel.conversationId;
        box.show(message.panel);
      }
      if (message.type !== 'edit') return;
      if (!message.isReturned || box.mayTake(message.editing)) box.edit(message.editing);
      else {
        post({ type: 'draft', text: message.editing.text });
        box.leave(message.editing.exchangeId);
      }
    }
    function load(): void {
      shown = undefined;
      box = createEditBox({ post });
      played.say({ message: { type: 'ready' } });
    }
    const inWindow = (run: () => void) => world.clock.as(window.name, run);
    load();
    panels.push(played.panel);
    return {
      text: () => box.current()?.text,
      edit: (at: number, text: string) => box.edit({ exchangeId: exchanges[at] ?? assert.fail(), text }),
      escape: () => box.edit(undefined),
      send() {
        const { exchangeId, text } = box.current() ?? assert.fail();
        box.edit(undefined);
        post({ type: 'edit', exchangeId, text });
      },
      /** The editor hides the page, which it then no longer keeps, and shows it again. */
      hide() {
        inWindow(() => played.panel.setVisible(false));
        shown = undefined;
      },
      show() {
        inWindow(() => played.panel.setVisible(true));
        load();
      },
      open: (next: string) => inWindow(() => played.panel.show(next)),
      close: () => inWindow(() => played.panel.dispose()),
    };
  }

  const draft = () => window.composers.of(id).draft;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'k3-boxes-'));
    world = await openWorld(folder, 1);
    window = world.windows[0] ?? assert.fail();
    panels = [];
    const { conversations } = window;
    id = conversations.current().id;
    for (const text of ['One', 'Two', 'Three']) {
      const asking = world.clock.as(window.name, () =>
        conversations.ask(id, { text, images: [], origin: undefined }),
      );
      await world.clock.settle();
      assert.ok((await asking).ok);
      world.service.requests.at(-1)?.finish('complete');
      await world.clock.settle();
    }
    exchanges = conversations.get(id)?.exchanges.map((one) => one.id) ?? [];
    other = world.clock.as(window.name, () => conversations.createAside('Other').id);
  });
  afterEach(async () => {
    for (const panel of panels) panel.dispose();
    for (const one of world.windows) one.kill();
    world.clock.restore();
    await rm(folder, { recursive: true, force: true });
  });

  /** One is sent and refused after `meanwhile`. */
  async function refuse(
    page: Pick<ReturnType<typeof openPage>, 'send'>,
    meanwhile: () => void,
  ): Promise<void> {
    window.lack('key');
    window.hold();
    page.send();
    await world.clock.settle();
    meanwhile();
    window.letGo();
    await world.clock.settle();
  }

  it('are both there when one is refused after the page went to another conversation', async () => {
    const page = openPage();
    page.edit(2, 'Three?');
    await refuse(page, () => {
      page.edit(0, 'One, half written');
      page.open(other);
    });
    page.open(id);
    assert.deepEqual([page.text(), draft()].toSorted(), ['One, half written', 'Three?']);
  });

  it('are both there when one is refused while the page is hidden', async () => {
    const page = openPage();
    page.edit(2, 'Three?');
    await refuse(page, () => {
      page.edit(0, 'One, half written');
      page.hide();
    });
    page.show();
    assert.deepEqual([page.text(), draft()].toSorted(), ['One, half written', 'Three?']);
  });

  it('are each in the box of their page when that is hidden and shown again, whichever was edited last', () => {
    const [side, tab] = [openPage(), openPage()];
    side.edit(0, 'One?');
    tab.edit(1, 'Two?');
    for (const page of [side, tab]) {
      page.hide();
      page.show();
    }
    assert.deepEqual([side.text(), tab.text(), draft()], ['One?', 'Two?', '']);
  });

  it('are in the next page that opens the conversation when theirs was closed', () => {
    const [side, tab] = [openPage(), openPage()];
    tab.edit(1, 'Two?');
    side.edit(0, 'One?');
    tab.close();
    const next = openPage();
    assert.deepEqual([side.text(), next.text(), draft()], ['One?', 'Two?', '']);
    next.escape();
    assert.equal(openPage().text(), 'One?');
  });

  it('stay on a page when another one that shows the same box closes it, or edits the same question', () => {
    const side = openPage();
    side.edit(0, 'One?');
    const tab = openPage();
    assert.equal(tab.text(), 'One?');
    tab.edit(0, 'One? x');
    tab.escape();
    side.hide();
    side.show();
    assert.deepEqual([side.text(), tab.text(), draft()], ['One?', undefined, '']);
    tab.edit(0, 'Another one');
    window.close();
    window = openSide(world, 0);
    assert.deepEqual([openPage().text(), draft()], ['Another one', 'One?']);
  });

  it('are in the message box when their question is shown no more as the page comes back', async () => {
    const [side, tab] = [openPage(), openPage()];
    side.edit(2, 'Three?');
    side.open(other);
    tab.edit(0, 'One?');
    tab.send();
    await world.clock.settle();
    assert.equal(window.conversations.get(id)?.exchanges.length, 1);
    side.open(id);
    assert.deepEqual([side.text(), draft()], [undefined, 'Three?']);
    assert.equal(openPage().text(), undefined);
  });

  it('go on in the page that shows one of a page which was closed since', () => {
    const side = openPage();
    side.edit(0, 'One');
    const tab = openPage();
    side.close();
    tab.edit(0, 'One, and more');
    assert.deepEqual([openPage().text(), draft()], ['One, and more', '']);
    tab.escape();
    assert.equal(openPage().text(), undefined);
  });
});
