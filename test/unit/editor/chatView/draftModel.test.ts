/**
 * What is typed in the message boxes of two panels, on its way to a question: each word is in a box, a draft, the queue, a
 * question, or on its way there, whatever happens meanwhile.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { commands } from '../../../support/editorStub.ts';
import { runsOf } from '../../../support/mutations.ts';
import { type BoxPage, openBoxPage } from '../../../support/windows/boxPage.ts';
import { arriveAll, isInBox, movePage, newWord, textsOf, useBox } from '../../../support/windows/boxSteps.ts';
import { settle } from '../../../support/windows/checks.ts';
import type { Window } from '../../../support/windows/window.ts';
import { exchangesOf, openWorld, pass, type World } from '../../../support/windows/world.ts';

const ACTIONS = [
  ...['type', 'type', 'type', 'send', 'send', 'blur', 'to host', 'to host', 'to page', 'to page'],
  ...['up', 'up', 'down', 'wait', 'pause', 'reload', 'hide', 'show'],
  ...['delete', 'restore', 'open', 'new', 'other tab', 'same tab'],
  ...['no key', 'no route', 'nothing lacks', 'cancel key', 'cancel key', 'set key', 'hold', 'let go'],
  ...['complete', 'cut', 'clear', 'compose', 'compose at once'],
] as const;

interface Step {
  readonly do: string;
  readonly panel: number;
  readonly which: number;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom<string>(...ACTIONS),
  panel: fc.nat(1),
  which: fc.nat(3),
});

interface Rig {
  readonly world: World;
  readonly window: Window;
  readonly pages: readonly BoxPage[];
  /** Words that were typed and not deleted. */
  readonly words: Set<string>;
  /** Inputs for a key that are open. */
  readonly inputs: ((isSet: boolean) => void)[];
  /** The page in which the user works. */
  at: number;
}

async function openRig(folder: string): Promise<Rig> {
  const world = await openWorld(folder, 1);
  const [window] = world.windows;
  assert.ok(window);
  const first = world.clock.as(window.name, () => window.conversations.current());
  world.ids.push(first.id);
  const pages = [0, 1].map(() => openBoxPage(window, world.clock, first.id));
  const rig: Rig = { world, window, pages, words: new Set(), inputs: [], at: 0 };
  Object.assign(commands, {
    async executeCommand(id: string) {
      if (id !== 'k3.setKey') return undefined;
      return new Promise<boolean>((resolve) => rig.inputs.push(resolve));
    },
  });
  // As the side bar does.
  window.conversations.onDidChange((change) => {
    if (change.type === 'opened') pages[0]?.panel.show(window.conversations.current().id);
  });
  await arriveAll(rig.world, rig.pages);
  return rig;
}

function noteIds({ world, window }: Rig): void {
  for (const { id } of [...window.conversations.loaded(), ...window.conversations.list()])
    if (!world.ids.includes(id)) world.ids.push(id);
}

function everywhere({ world, window, pages }: Rig): string {
  return [
    ...pages.flatMap((page) => [page.text(), page.kept(), ...page.underWay()]),
    ...textsOf(window, world.ids),
  ].join('\n');
}

/** The user goes to another page, which takes longer than a message. */
async function workIn(rig: Rig, panel: number): Promise<BoxPage> {
  if (rig.at !== panel) {
    rig.pages[rig.at]?.blur();
    await arriveAll(rig.world, rig.pages);
  }
  rig.at = panel;
  const page = rig.pages[panel];
  assert.ok(page);
  return page;
}

async function run(rig: Rig, step: Step): Promise<void> {
  const { world, window, pages, words } = rig;
  const asWindow = <Result>(act: () => Result) => world.clock.as(window.name, act);
  const open = world.service.requests.filter(({ end }) => end === undefined);
  const page = pages[step.panel];
  const id = world.ids[step.which % world.ids.length] ?? '';
  if (isInBox(step)) return useBox(step, await workIn(rig, step.panel), world, words);
  if (page !== undefined && movePage(step, page)) return;
  switch (step.do) {
    case 'compose': {
      const word = newWord(world, words);
      // A command takes the user longer than a message takes to the host.
      for (const each of pages) each.toHost(99);
      return asWindow(() => window.composers.compose(id, word));
    }
    case 'compose at once': {
      // A command can end by itself, for example when a file has been read, while a message is on its way to the host.
      const word = newWord(world, words);
      return asWindow(() => window.composers.compose(id, word));
    }
    case 'wait':
      return pass(world, 2500);
    case 'pause':
      return pass(world, 310);
    case 'delete':
      return asWindow(() => window.conversations.delete(id));
    case 'restore':
      return asWindow(() => window.conversations.restore(id));
    case 'open':
      return asWindow(() => window.conversations.open(id));
    case 'new':
      return void asWindow(() => window.conversations.create());
    case 'other tab':
      return asWindow(() => pages[1]?.panel.show(window.conversations.unused().id));
    case 'same tab':
      return asWindow(() => pages[1]?.panel.show(window.conversations.current().id));
    case 'no key':
      return window.lack('key');
    case 'no route':
      return window.lack('route');
    case 'nothing lacks':
      return window.lack('nothing');
    case 'cancel key':
      return rig.inputs.shift()?.(false);
    case 'set key':
      if (rig.inputs.length > 0) window.lack('nothing');
      return rig.inputs.shift()?.(true);
    case 'hold':
      return window.hold();
    case 'let go':
      return window.letGo();
    case 'complete':
    case 'cut':
      return open[step.which % open.length]?.finish(step.do);
  }
}

function check(rig: Rig, told: string): void {
  noteIds(rig);
  const asked = rig.window.conversations.loaded().flatMap(exchangesOf);
  // Its conversation may be deleted later.
  for (const { question } of asked) for (const word of question.text.split(/\s/)) rig.words.delete(word);
  const all = everywhere(rig);
  for (const word of rig.words) assert.ok(all.includes(word), `${word} is lost after ${told}`);
  assert.deepEqual(rig.window.log, [], told);
}

/** Lets everything arrive and end. Inputs for a key that are still open, or open now, are canceled. */
async function finish(rig: Rig): Promise<void> {
  for (const page of rig.pages) {
    page.show();
    page.blur();
  }
  await arriveAll(rig.world, rig.pages);
  rig.window.letGo();
  await rig.world.clock.settle();
  for (const close of rig.inputs.splice(0)) close(false);
  await settle(rig.world);
  await arriveAll(rig.world, rig.pages);
  await pass(rig.world, 3000);
  await arriveAll(rig.world, rig.pages);
}

/** In the end, what isn't asked or queued is in the draft of its conversation, and in each box that shows it. */
function checkEnd({ window, pages }: Rig): void {
  for (const page of pages) {
    const id = page.shownId();
    assert.equal(page.kept(), window.composers.of(id ?? '').draft, 'a box and its draft');
  }
}

describe('What is typed in two panels', () => {
  it('is in a box, a draft, the queue, or a question, whatever is refused, opened, deleted, or loaded again', async () => {
    const { executeCommand } = commands;
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40, size: 'max' }), async (steps) => {
        const folder = await mkdtemp(join(tmpdir(), 'k3-draft-'));
        const rig = await openRig(folder);
        try {
          for (const step of steps) {
            await run(rig, step);
            await rig.world.clock.settle();
            check(rig, `${step.do} ${step.panel} ${step.which}`);
          }
          await finish(rig);
          check(rig, 'the end');
          checkEnd(rig);
        } finally {
          rig.window.kill();
          rig.world.clock.restore();
          Object.assign(commands, { executeCommand });
          await rm(folder, { recursive: true, force: true });
        }
      }),
      runsOf(20),
    );
  }).timeout(3_600_000);
});
