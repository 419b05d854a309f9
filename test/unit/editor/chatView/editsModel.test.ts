/**
 * Questions that are edited on several pages of two windows: each text is in a box, or in the message box, until the page that has
 * it gives it up, whatever becomes of the pages and windows.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { runsOf } from '../../../support/mutations.ts';
import { type EditPage, openEditPage } from '../../../support/windows/editPage.ts';
import { openSide, openWorld, pass, type World } from '../../../support/windows/world.ts';

const ACTIONS = [
  ...['edit', 'edit', 'edit', 'escape', 'hide', 'show', 'leave', 'return', 'close', 'open'],
  ...['close window', 'kill window'],
] as const;

interface Step {
  readonly do: (typeof ACTIONS)[number];
  readonly page: number;
  readonly question: number;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(...ACTIONS),
  page: fc.nat(3),
  question: fc.nat(2),
});

interface Rig {
  readonly world: World;
  readonly id: string;
  readonly other: string;
  readonly exchanges: readonly string[];
  /** Two for each window; undefined for one that is closed. */
  readonly pages: (EditPage | undefined)[];
  /** The texts that nobody has given up, each with the page that wrote it; undefined if that is gone. */
  readonly live: Map<string, EditPage | undefined>;
}

const sideOf = (page: number): number => Math.floor(page / 2);

async function openRig(folder: string): Promise<Rig> {
  const world = await openWorld(folder, 2);
  const window = world.windows[0] ?? assert.fail();
  const { conversations } = window;
  const { id } = world.clock.as(window.name, () => conversations.current());
  for (const text of ['One', 'Two', 'Three']) {
    const question = { text, images: [], origin: undefined };
    const asking = world.clock.as(window.name, () => conversations.ask(id, question));
    await world.clock.settle();
    assert.ok((await asking).ok);
    world.service.requests.at(-1)?.finish('complete');
    await pass(world, 2500);
  }
  const exchanges = conversations.get(id)?.exchanges.map((one) => one.id) ?? [];
  const aside = { text: 'Aside', images: [], origin: undefined };
  const other = world.clock.as(window.name, () => conversations.createAside('Other').id);
  const asking = world.clock.as(window.name, () => conversations.ask(other, aside));
  await world.clock.settle();
  assert.ok((await asking).ok);
  world.service.requests.at(-1)?.finish('complete');
  await pass(world, 2500);
  return { world, id, other, exchanges, pages: [], live: new Map() };
}

/** The texts that a page gives up when its box is closed, or another text is written in it. */
function textsOfBox({ live }: Rig, page: EditPage): readonly string[] {
  const shown = page.current()?.text;
  return [...live].flatMap(([text, owner]) =>
    owner === page || (owner === undefined && text === shown) ? [text] : [],
  );
}

function openPage(rig: Rig, page: number): void {
  const window = rig.world.windows[sideOf(page)] ?? assert.fail();
  rig.pages[page] ??= openEditPage(window, rig.world.clock, rig.id);
}

/** A text whose page is gone is that of nobody. */
function forget({ live }: Rig, page: EditPage | undefined): void {
  for (const [text, owner] of live) if (owner === page) live.set(text, undefined);
}

function replaceWindow(rig: Rig, side: number, end: 'close' | 'kill'): void {
  const window = rig.world.windows[side] ?? assert.fail();
  for (const page of [2 * side, 2 * side + 1]) {
    forget(rig, rig.pages[page]);
    if (end === 'close') rig.pages[page]?.close();
    rig.pages[page] = undefined;
  }
  window[end]();
  openSide(rig.world, side);
}

function giveUp(rig: Rig, page: EditPage): void {
  for (const text of textsOfBox(rig, page)) rig.live.delete(text);
}

type Run = (rig: Rig, step: Step, page: EditPage) => void;

/** What happens to a page. */
const ON_PAGE: Readonly<Record<string, Run>> = {
  edit(rig, { question }, page) {
    if (!page.panel.isShowing(rig.id)) return;
    giveUp(rig, page);
    const text = `text${++rig.world.count}.`;
    rig.live.set(text, page);
    page.edit(rig.exchanges[question] ?? assert.fail(), text);
  },
  escape(rig, _, page) {
    if (!page.panel.isShowing(rig.id) || page.current() === undefined) return;
    giveUp(rig, page);
    page.escape();
  },
  hide: (_, __, page) => page.hide(),
  show: (_, __, page) => page.show(),
  leave(rig, _, page) {
    if (!page.panel.isShowing(rig.id)) return;
    forget(rig, page);
    page.open(rig.other);
  },
  return: (rig, _, page) => page.open(rig.id),
  close(rig, step, page) {
    forget(rig, page);
    page.close();
    rig.pages[step.page] = undefined;
  },
};

function run(rig: Rig, step: Step): void {
  if (step.do === 'close window') replaceWindow(rig, sideOf(step.page), 'close');
  else if (step.do === 'kill window') replaceWindow(rig, sideOf(step.page), 'kill');
  else if (step.do === 'open') openPage(rig, step.page);
  else {
    const page = rig.pages[step.page];
    if (page !== undefined) ON_PAGE[step.do]?.(rig, step, page);
  }
}

function check(rig: Rig, told: string): void {
  const texts = [
    ...rig.pages.map((page) => page?.current()?.text),
    ...rig.world.windows.flatMap(({ composers }) => {
      const { draft, editing, otherEdits } = composers.of(rig.id);
      return [draft, editing?.text, ...otherEdits.map(({ text }) => text)];
    }),
  ].join('\n');
  for (const text of rig.live.keys()) assert.ok(texts.includes(text), `${text} is lost ${told}`);
}

async function walk(steps: readonly Step[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'k3-edits-'));
  const rig = await openRig(folder);
  const { world } = rig;
  for (const page of [0, 1, 2, 3]) openPage(rig, page);
  try {
    for (const [at, step] of steps.entries()) {
      run(rig, step);
      // A user gets to another page or window when what was written has arrived there.
      await pass(world, 2500);
      check(rig, `after step ${at}`);
    }
    for (const side of [0, 1]) replaceWindow(rig, side, 'close');
    for (const window of world.windows) window.close();
    const later = openSide(world, 0);
    const { draft, editing } = later.composers.of(rig.id);
    for (const text of rig.live.keys())
      assert.ok(`${editing?.text}\n${draft}`.includes(text), `${text} is lost in the end`);
    later.close();
  } finally {
    for (const window of world.windows) window.kill();
    world.clock.restore();
    await rm(folder, { recursive: true, force: true });
  }
}

describe('Questions that are edited on pages of two windows', () => {
  it('are never lost before their page gives them up', async () => {
    await fc.assert(fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 25 }), walk), {
      ...runsOf(15),
    });
  }).timeout(3_600_000);
});
