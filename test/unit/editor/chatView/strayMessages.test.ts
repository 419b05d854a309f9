import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { HostMessage } from '../../../../src/panel/hostMessages.ts';
import type { PageMessage } from '../../../../src/panel/webviewMessages.ts';
import { runsOf } from '../../../support/mutations.ts';
import { settle } from '../../../support/windows/checks.ts';
import { openPanel, type PlayedPanel } from '../../../support/windows/panel.ts';
import { anySaid, type Ids, mayAsk, noteIds, type Said, toMessage } from '../../../support/windows/stray.ts';
import type { Window } from '../../../support/windows/window.ts';
import { exchangesOf, openWorld, pass, type World } from '../../../support/windows/world.ts';

type Step =
  | { readonly do: 'say'; readonly panel: number; readonly said: Said }
  /** The same message once more, whenever it came first. */
  | { readonly do: 'again'; readonly panel: number; readonly which: number }
  | {
      readonly do: 'push' | 'complete' | 'cut' | 'wait' | 'hold' | 'let go' | 'hide' | 'delete' | 'open';
      readonly panel: number;
      readonly which: number;
    };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({ do: fc.constant('say' as const), panel: fc.nat(1), said: anySaid }),
    weight: 6,
  },
  {
    arbitrary: fc.record({ do: fc.constant('again' as const), panel: fc.nat(1), which: fc.nat(40) }),
    weight: 1,
  },
  {
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...([
          'push',
          'complete',
          'complete',
          'cut',
          'wait',
          'hold',
          'let go',
          'hide',
          'delete',
          'open',
        ] as const),
      ),
      panel: fc.nat(1),
      which: fc.nat(5),
    }),
    weight: 3,
  },
);

/** Where a text is that the user wrote. */
type Place = 'asked' | 'queue' | 'draft' | 'editing' | 'page' | 'being sent';

interface Rig {
  readonly world: World;
  readonly window: Window;
  readonly panels: readonly PlayedPanel[];
  readonly shown: string[];
  readonly ids: Ids;
  readonly said: PageMessage[];
  /** Texts that were handed back to a page. */
  readonly handedBack: string[];
  /** The texts of questions, where each one is, and undefined when the user has replaced or removed it. */
  readonly texts: Map<string, ReadonlySet<Place> | undefined>;
  /** How many requests may have been sent. */
  allowed: number;
}

async function openRig(folder: string): Promise<Rig> {
  const world = await openWorld(folder, 1);
  const [window] = world.windows;
  assert.ok(window);
  const handedBack: string[] = [];
  const shown: string[] = [];
  const ask = async (id: string, text: string) => {
    await world.clock.as(window.name, () =>
      window.intents.receive({ type: 'send', text }, id, window.composers.of(id)),
    );
    world.service.requests.at(-1)?.finish('complete');
    await world.clock.settle();
  };
  for (let number = 0; number < 3; number++) {
    const { id } = world.clock.as(window.name, () => window.conversations.create());
    world.ids.push(id);
    for (const text of ['First', 'Second']) await ask(id, `${text} of ${number}.`);
  }
  const [first = '', second = '', third = ''] = world.ids;
  world.clock.as(window.name, () => window.conversations.open(first));
  const panels = [first, second].map((id, index) =>
    openPanel(window, world.clock, id, (message: HostMessage) => {
      if (message.type === 'snapshot') shown[index] = message.panel.conversationId;
      if (message.type === 'compose') handedBack.push(message.text);
    }),
  );
  shown.push(first, second);
  for (const panel of panels) panel.say({ message: { type: 'ready' } });
  const ids: Ids = { exchanges: new Set(), turns: new Set(), queued: new Set() };
  noteIds(ids, window.conversations.loaded(), []);
  world.clock.as(window.name, () => window.conversations.delete(third));
  await world.clock.settle();
  const allowed = world.service.requests.length;
  return { world, window, panels, shown, ids, said: [], handedBack, texts: new Map(), allowed };
}

function placesOf({ world, window, handedBack }: Rig, text: string): ReadonlySet<Place> {
  const { conversations, composers } = window;
  const places = new Set<Place>();
  const asked = conversations.loaded().flatMap(exchangesOf);
  if (asked.some(({ question }) => question.text === text)) places.add('asked');
  for (const id of world.ids) {
    if (conversations.queue(id).some(({ question }) => question.text === text)) places.add('queue');
    const { draft, editing, sendingEdits } = composers.of(id);
    if (draft.includes(text)) places.add('draft');
    if (editing?.text === text) places.add('editing');
    if (sendingEdits.some((edit) => edit.text === text)) places.add('being sent');
  }
  if (handedBack.includes(text)) places.add('page');
  return places;
}

const REPLACES: Readonly<Record<string, readonly Place[]>> = {
  draft: ['draft'],
  typed: ['draft'],
  send: ['draft'],
  editing: ['editing'],
  edit: ['editing'],
  'remove-queued': ['queue'],
  'clear-queue': ['queue'],
};

async function say(rig: Rig, panel: number, page: PageMessage): Promise<void> {
  const { world, window, panels, shown, texts } = rig;
  const { message } = page;
  const asks = mayAsk(window, page, page.conversationId ?? shown[panel] ?? '');
  const text = message.type === 'send' || message.type === 'edit' ? message.text : '';
  if (asks) rig.allowed++;
  const before = world.service.requests.length;
  panels[panel]?.say(page);
  await world.clock.settle();
  const after = world.service.requests.length;
  assert.ok(asks || after === before, `${JSON.stringify(page)} has sent a request`);
  if (asks && text !== '') texts.set(text, new Set());
  look(rig, REPLACES[message.type] ?? [], JSON.stringify(page));
}

/** Finds each text again. One that is gone must have been in a place that this step replaces. */
function look(rig: Rig, replaced: readonly Place[], step: string): void {
  const { window, world, ids, texts } = rig;
  noteIds(
    ids,
    window.conversations.loaded(),
    world.ids.flatMap((id) => window.conversations.queue(id).map((queued) => queued.id)),
  );
  for (const conversation of window.conversations.list())
    if (!world.ids.includes(conversation.id)) world.ids.push(conversation.id);
  for (const [text, before] of texts) {
    if (before === undefined || before.has('asked')) continue;
    const places = placesOf(rig, text);
    if (places.size === 0) {
      assert.ok(
        replaced.some((place) => before.has(place)),
        `${text} is lost after ${step}. It was in: ${[...before].join(', ')}`,
      );
      texts.set(text, undefined);
    } else texts.set(text, places);
  }
  assert.deepEqual(window.log, [], step);
}

async function run(rig: Rig, step: Step): Promise<void> {
  const { world, window, panels, shown } = rig;
  const { requests } = world.service;
  const open = requests.filter(({ end }) => end === undefined);
  switch (step.do) {
    case 'say': {
      const page = toMessage(world, rig.ids, `M${++world.count}.`, step.said);
      rig.said.push(page);
      return say(rig, step.panel, page);
    }
    case 'again': {
      const page = rig.said[step.which % rig.said.length];
      return page && say(rig, step.panel, page);
    }
    case 'push':
      open[step.which % open.length]?.push();
      break;
    case 'complete':
    case 'cut':
      open[step.which % open.length]?.finish(step.do);
      break;
    case 'wait':
      await pass(world, 1200);
      break;
    case 'hold':
      window.hold();
      break;
    case 'let go':
      window.letGo();
      break;
    case 'hide':
      panels[step.panel]?.panel.setVisible(false);
      break;
    case 'delete':
      world.clock.as(window.name, () => window.conversations.delete(shown[step.panel] ?? ''));
      break;
    case 'open': {
      const id = world.ids[step.which % world.ids.length] ?? '';
      // A hidden panel is sent no snapshot.
      shown[step.panel] = id;
      world.clock.as(window.name, () => panels[step.panel]?.panel.show(id));
      break;
    }
  }
  await world.clock.settle();
  look(rig, [], step.do);
}

describe('Messages of pages with ids of anything, late, and twice', () => {
  it('send no request that was not asked for, lose nothing, and throw nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40, size: 'max' }), async (steps) => {
        const folder = await mkdtemp(join(tmpdir(), 'k3-stray-'));
        const rig = await openRig(folder);
        try {
          for (const step of steps) await run(rig, step);
          await settle(rig.world);
          look(rig, [], 'the end');
          const { requests } = rig.world.service;
          assert.ok(requests.length <= rig.allowed, `${requests.length} requests, of ${rig.allowed}`);
        } finally {
          rig.window.kill();
          rig.world.clock.restore();
          await rm(folder, { recursive: true, force: true });
        }
      }),
      runsOf(15),
    );
  }).timeout(3_600_000);
});
