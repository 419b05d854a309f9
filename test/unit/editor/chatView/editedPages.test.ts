/** The boxes of edited questions on the pages of a window. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type EditPage, openEditPage } from '../../../support/windows/editPage.ts';
import type { Window } from '../../../support/windows/window.ts';
import { openSide, openWorld, type World } from '../../../support/windows/world.ts';

describe('Edited questions on the pages of a window', () => {
  let folder: string;
  let world: World;
  let window: Window;
  let id: string;
  let other: string;
  let exchanges: readonly string[];
  let pages: EditPage[];

  /** A page, with its text and with questions by their index. */
  function openPage() {
    const page = openEditPage(window, world.clock, id);
    pages.push(page);
    return {
      ...page,
      text: () => page.current()?.text,
      edit: (at: number, text: string) => page.edit(exchanges[at] ?? assert.fail(), text),
    };
  }

  const draft = () => window.composers.of(id).draft;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'k3-boxes-'));
    world = await openWorld(folder, 1);
    window = world.windows[0] ?? assert.fail();
    pages = [];
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
    for (const page of pages) page.close();
    for (const one of world.windows) one.kill();
    world.clock.restore();
    await rm(folder, { recursive: true, force: true });
  });

  /** One is sent and refused after `meanwhile`. */
  async function refuse(page: Pick<EditPage, 'send'>, meanwhile: () => void): Promise<void> {
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
    await world.clock.settle();
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
    await world.clock.settle();
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

  it('are as they were written when the page shows another conversation and comes back before the host has read them', () => {
    const page = openPage();
    page.edit(0, 'One');
    const arrive = page.delay();
    page.edit(0, 'One?');
    page.open(other);
    page.open(id);
    assert.equal(page.text(), 'One?');
    arrive();
    page.edit(0, 'One? And');
    assert.deepEqual([page.text(), window.composers.of(id).editing?.text], ['One? And', 'One? And']);
  });

  it('have no box when they were sent or left before the host has read that, and it shows another conversation and comes back', () => {
    const page = openPage();
    page.edit(0, 'One?');
    const arrive = page.delay();
    page.escape();
    page.open(other);
    page.open(id);
    assert.equal(page.text(), undefined);
    arrive();
    assert.deepEqual([page.text(), window.composers.of(id).editing], [undefined, undefined]);
  });

  it('are in the next page that opens the conversation when theirs was closed', () => {
    const [side, tab] = [openPage(), openPage()];
    tab.edit(1, 'Two?');
    side.edit(0, 'One?');
    tab.close();
    const next = openPage();
    assert.deepEqual([side.text(), next.text(), draft()], ['One?', 'Two?', '']);
    next.escape();
    assert.equal(openPage().text(), undefined);
    side.close();
    assert.equal(openPage().text(), 'One?');
  });

  it('are on no other page while theirs shows the conversation, and stay there when another one edits the same question', () => {
    const side = openPage();
    side.edit(0, 'One?');
    const tab = openPage();
    assert.equal(tab.text(), undefined);
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

  it('are gone when they were sent, whatever other pages show', async () => {
    const [side, tab] = [openPage(), openPage()];
    side.edit(0, 'Why?');
    side.hide();
    tab.edit(0, 'Why? Whole');
    tab.send();
    await world.clock.settle();
    assert.equal(tab.text(), undefined);
    side.show();
    assert.deepEqual([side.text(), openPage().text(), draft()], ['Why?', undefined, '']);
  });

  it('stay in their box, at the version of the question that another page has asked', async () => {
    const [side, tab] = [openPage(), openPage()];
    side.edit(0, 'One?');
    tab.edit(0, 'One again');
    tab.send();
    await world.clock.settle();
    const shown = window.conversations.get(id)?.exchanges ?? [];
    assert.deepEqual([side.current()?.exchangeId, side.text()], [shown[0]?.id, 'One?']);
  });

  it('go to the message box at once when another page asks an earlier question again', async () => {
    const [side, tab] = [openPage(), openPage()];
    side.edit(2, 'Three?');
    tab.edit(0, 'One?');
    tab.send();
    await world.clock.settle();
    assert.deepEqual([side.text(), draft()], [undefined, 'Three?']);
    assert.equal(openPage().text(), undefined);
  });

  it('do not go to the message box when they are as their questions', () => {
    const [side, tab] = [openPage(), openPage()];
    side.edit(1, 'Two?');
    tab.edit(0, 'One');
    tab.close();
    side.hide();
    side.show();
    assert.deepEqual([side.text(), draft()], ['Two?', '']);
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
    await world.clock.settle();
    assert.deepEqual([side.text(), draft()], [undefined, 'Three?']);
    assert.equal(openPage().text(), undefined);
  });

  it('are in their box when the conversation was deleted, and is restored after the page was hidden', () => {
    const page = openPage();
    page.edit(1, 'Two?');
    world.clock.as(window.name, () => window.conversations.delete(id));
    page.hide();
    page.show();
    assert.equal(page.text(), undefined);
    world.clock.as(window.name, () => window.conversations.restore(id));
    assert.deepEqual([page.text(), draft()], ['Two?', '']);
  });

  it('are in the next page that opens the conversation when theirs was closed, as they were typed last', () => {
    const [side, tab] = [openPage(), openPage()];
    side.edit(0, 'One');
    side.edit(0, 'One, and more');
    side.close();
    assert.equal(tab.text(), undefined);
    assert.deepEqual([openPage().text(), draft()], ['One, and more', '']);
  });
});
