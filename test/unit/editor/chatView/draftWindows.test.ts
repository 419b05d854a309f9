/**
 * What is typed in the message boxes of two windows that show one conversation: each word is in a box, in the draft, in the
 * queue, in a question, or on its way there, whatever happens meanwhile.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { runsOf } from '../../../support/mutations.ts';
import { type BoxPage, openBoxPage } from '../../../support/windows/boxPage.ts';
import { arriveAll, isInBox, movePage, newWord, textsOf, useBox } from '../../../support/windows/boxSteps.ts';
import { settle } from '../../../support/windows/checks.ts';
import type { Window } from '../../../support/windows/window.ts';
import {
  exchangesOf,
  observe,
  openSide,
  openWorld,
  pass,
  type World,
} from '../../../support/windows/world.ts';

const ACTIONS = [
  ...['type', 'type', 'type', 'type', 'send', 'send', 'blur', 'to host', 'to host', 'to page', 'to page'],
  ...['up', 'up', 'down', 'wait', 'pause', 'reload', 'hide', 'show'],
  ...['delete', 'restore', 'open', 'clear', 'compose'],
  ...['no key', 'nothing lacks', 'hold', 'let go', 'complete', 'cut', 'stop', 'close window', 'kill window'],
] as const;

interface Step {
  readonly do: string;
  readonly side: number;
  readonly which: number;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom<string>(...ACTIONS),
  side: fc.nat(1),
  which: fc.nat(3),
});

interface Rig {
  readonly world: World;
  /** The conversation that both windows show at first. */
  readonly id: string;
  readonly pages: BoxPage[];
  /** Words that were typed and not deleted. */
  readonly words: Set<string>;
  /** The window in which the user works. */
  at: number;
}

const windowAt = ({ world }: Rig, side: number): Window => world.windows[side] ?? assert.fail();

async function openRig(folder: string): Promise<Rig> {
  const world = await openWorld(folder, 2);
  const first = world.windows[0] ?? assert.fail();
  const { id } = world.clock.as(first.name, () => first.conversations.current());
  world.ids.push(id);
  const rig: Rig = { world, id, pages: [], words: new Set(), at: 0 };
  const question = { text: 'Begin', images: [], origin: undefined };
  const asking = world.clock.as(first.name, () => first.conversations.ask(id, question));
  await world.clock.settle();
  assert.ok((await asking).ok);
  world.service.requests[0]?.finish('complete');
  await pass(world, 3000);
  for (const side of [0, 1]) openPage(rig, side);
  await arriveAll(rig.world, rig.pages);
  return rig;
}

/** The panel of a window, which follows the conversation that is open, as the side bar does. */
function openPage(rig: Rig, side: number): void {
  const { world, id } = rig;
  const window = windowAt(rig, side);
  const page = openBoxPage(window, world.clock, id);
  rig.pages[side] = page;
  world.clock.as(window.name, () => {
    window.conversations.onDidChange((change) => {
      if (change.type === 'opened' && !window.isDead()) page.panel.show(window.conversations.current().id);
    });
    if (window.conversations.get(id) !== undefined) window.conversations.open(id);
  });
}

/** Lets everything that was typed reach the other window, which is faster than the user gets there. */
async function arriveEverywhere(rig: Rig): Promise<void> {
  for (const page of rig.pages) page.blur();
  await arriveAll(rig.world, rig.pages);
  await pass(rig.world, 2500);
  await arriveAll(rig.world, rig.pages);
}

/** The user goes to another window. */
async function workIn(rig: Rig, side: number): Promise<BoxPage> {
  if (rig.at !== side) await arriveEverywhere(rig);
  rig.at = side;
  const page = rig.pages[side] ?? assert.fail();
  page.show();
  if (page.shownId() === undefined) await arriveAll(rig.world, rig.pages);
  return page;
}

function everywhere({ world, pages }: Rig): string {
  return [
    ...pages.flatMap((page) => [page.text(), page.kept(), ...page.underWay()]),
    ...world.windows.flatMap((window) => textsOf(window, world.ids)),
  ].join('\n');
}

async function run(rig: Rig, step: Step): Promise<void> {
  const { world, pages, words } = rig;
  const window = windowAt(rig, step.side);
  const page = pages[step.side] ?? assert.fail();
  const asWindow = <Result>(act: () => Result) => world.clock.as(window.name, act);
  const open = world.service.requests.filter(({ end }) => end === undefined);
  const id = world.ids[step.which % world.ids.length] ?? rig.id;
  if (isInBox(step)) return useBox(step, await workIn(rig, step.side), world, words);
  if (movePage(step, page)) return;
  switch (step.do) {
    case 'compose': {
      await arriveEverywhere(rig);
      // A new conversation is known to the other window when something is in it.
      if (asWindow(() => window.conversations.get(id)) === undefined) return;
      const word = newWord(world, words);
      asWindow(() => window.composers.compose(id, word));
      return arriveEverywhere(rig);
    }
    case 'wait':
      return pass(world, 2500);
    case 'pause':
      return pass(world, 310);
    case 'delete':
      // The user deletes no conversation within the 400 ms in which what was typed is written.
      for (const each of pages) each.toHost(99);
      await pass(world, 500);
      return asWindow(() => window.conversations.delete(id));
    case 'restore':
      return asWindow(() => window.conversations.restore(id));
    case 'open':
      return asWindow(() => window.conversations.get(id) && window.conversations.open(id));
    case 'no key':
      return window.lack('key');
    case 'nothing lacks':
      return window.lack('nothing');
    case 'hold':
      return window.hold();
    case 'let go':
      return window.letGo();
    case 'stop':
      return asWindow(() => window.conversations.stop(id));
    case 'complete':
    case 'cut':
      return open[step.which % open.length]?.finish(step.do);
    case 'close window':
    case 'kill window': {
      // The user types in no window that is about to be closed: what was typed is on the disk within 400 ms.
      await arriveEverywhere(rig);
      if (step.do === 'close window') window.close();
      else window.kill();
      await world.clock.settle();
      openSide(world, step.side);
      openPage(rig, step.side);
      return arriveAll(rig.world, rig.pages);
    }
  }
}

function check(rig: Rig, told: string): void {
  for (const { conversations } of rig.world.windows)
    for (const { id } of [...conversations.loaded(), ...conversations.list()])
      if (!rig.world.ids.includes(id)) rig.world.ids.push(id);
  const shown = rig.world.windows.flatMap(({ conversations }) => conversations.loaded());
  // Also of a deleted conversation.
  const stored = observe(rig.world, (history) => rig.world.ids.flatMap((id) => history.loadAny(id) ?? []));
  const asked = [...shown, ...stored].flatMap(exchangesOf);
  // Its conversation may be deleted later.
  for (const { question } of asked) for (const word of question.text.split(/\s/)) rig.words.delete(word);
  const all = everywhere(rig);
  for (const word of rig.words) assert.ok(all.includes(word), `${word} is lost after ${told}`);
  for (const { name, log } of rig.world.windows) assert.deepEqual(log, [], `${name}: ${told}`);
}

/** In the end, each box has the draft of the conversation that it shows, which is the same in both windows. */
async function checkEnd(rig: Rig): Promise<void> {
  for (const page of rig.pages) page.show();
  await arriveEverywhere(rig);
  await settle(rig.world);
  await arriveEverywhere(rig);
  await arriveEverywhere(rig);
  check(rig, 'the end');
  for (const [side, page] of rig.pages.entries()) {
    const id = page.shownId() ?? '';
    const drafts = rig.world.windows.map(({ composers }) => composers.of(id).draft);
    assert.deepEqual(drafts, [page.kept(), page.kept()], `the box of window ${side} and the draft`);
  }
}

describe('What is typed in two windows', () => {
  it('is in a box, the draft, the queue, or a question, whatever is sent, refused, deleted, closed, or killed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30, size: 'max' }), async (steps) => {
        const folder = await mkdtemp(join(tmpdir(), 'k3-drafts-'));
        const rig = await openRig(folder);
        try {
          for (const step of steps) {
            await run(rig, step);
            await rig.world.clock.settle();
            check(rig, `${step.do} ${step.side} ${step.which}`);
          }
          await checkEnd(rig);
        } finally {
          for (const window of rig.world.windows) window.kill();
          rig.world.clock.restore();
          await rm(folder, { recursive: true, force: true });
        }
      }),
      runsOf(10),
    );
  }).timeout(3_600_000);
});
