import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { PostedMessage } from '../../../../src/panel/hostMessages.ts';
import type { PanelState } from '../../../../src/panel/panelState.ts';
import { foldPanel, type Panel } from '../../../../src/webview/chat/state.ts';
import { runsOf } from '../../../support/mutations.ts';
import { settle } from '../../../support/windows/checks.ts';
import { openPanel } from '../../../support/windows/panel.ts';
import { anyStep as anyWindowStep, runStep, type Step } from '../../../support/windows/steps.ts';
import { openWorld, pass, type World } from '../../../support/windows/world.ts';

/** What happens to the messages that are on their way, the next one first. */
type Fate = 'deliver' | 'drop' | 'repeat' | 'delay' | 'repeat late' | 'old snapshot' | 'reload' | 'hide';

type Event =
  | { readonly fate: Fate; readonly count: number }
  | { readonly step: Step }
  | { readonly show: number };

const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  {
    arbitrary: fc.record({
      fate: fc.constantFrom<Fate>(
        'deliver',
        'deliver',
        'deliver',
        'drop',
        'repeat',
        'delay',
        'repeat late',
        'old snapshot',
        'reload',
        'hide',
      ),
      count: fc.integer({ min: 1, max: 4 }),
    }),
    weight: 4,
  },
  // What kills or freezes the window is not about its page.
  {
    arbitrary: anyWindowStep(1)
      .filter(({ do: what }) => !/kill|reload|freeze|thaw|disk|hold/.test(what))
      .map((step) => ({ step })),
    weight: 4,
  },
  { arbitrary: fc.record({ show: fc.nat(5) }), weight: 1 },
);

/** A page that folds what arrives, and asks for a snapshot when something is missing. */
function makePage(say: (message: unknown) => void) {
  let state: Panel | undefined;
  return {
    state: () => state,
    receive(posted: PostedMessage) {
      const next = foldPanel(state, posted);
      if (next === 'resync') say({ message: { type: 'ready' } });
      else if (next !== 'outdated') state = next.state;
    },
    reload() {
      state = undefined;
      say({ message: { type: 'ready' } });
    },
  };
}

/** What the page keeps itself, where boxes of other panels are by now, and the time, are not compared. */
const comparable = ({ now, draft, editing, movedEdits, ...rest }: PanelState) => rest;

async function walk(world: World, events: readonly Event[]): Promise<void> {
  const [window] = world.windows;
  assert.ok(window);
  const { id } = world.clock.as(window.name, () => window.conversations.create());
  world.ids.push(id);
  const arriving: PostedMessage[] = [];
  const old: PostedMessage[] = [];
  const played = openPanel(window, world.clock, id, (_, posted) => void arriving.push(posted));
  const page = makePage(played.say);
  page.reload();
  const deliver = () => {
    const message = arriving.shift();
    if (message === undefined) return;
    old.push(message);
    page.receive(message);
  };
  const meet = (fate: Fate, count: number) => {
    const [first] = arriving;
    if (fate === 'deliver') for (let left = count; left > 0; left--) deliver();
    else if (fate === 'drop') arriving.splice(0, count);
    else if (fate === 'repeat' && first !== undefined) arriving.splice(count, 0, first);
    else if (fate === 'delay' && first !== undefined) arriving.splice(count, 0, ...arriving.splice(0, 1));
    else if (fate === 'repeat late') arriving.unshift(...old.slice(-count).slice(0, 1));
    else if (fate === 'old snapshot')
      arriving.unshift(
        ...old
          .filter((posted) => 'type' in posted && posted.type === 'snapshot')
          .slice(-count)
          .slice(0, 1),
      );
    else if (fate === 'reload') page.reload();
    else if (fate === 'hide') {
      played.panel.setVisible(false);
      arriving.length = 0;
      page.reload();
    }
  };
  for (const event of events) {
    if ('fate' in event) meet(event.fate, event.count);
    else if ('show' in event) {
      const shown = world.ids[event.show % world.ids.length] ?? id;
      world.clock.as(window.name, () => played.panel.show(shown));
    } else await runStep(world, event.step);
    await world.clock.settle();
  }
  await settle(world);
  await pass(world, 1000);
  // From now on nothing gets lost. What was lost before is noticed with the next message.
  for (const one of world.ids) world.clock.as(window.name, () => window.composers.changed(one));
  for (let left = 1000; arriving.length > 0 && left > 0; left--) deliver();
  assert.equal(arriving.length, 0, 'the page asks without end');
  const folded = page.state();
  page.reload();
  const [whole] = arriving;
  assert.ok(folded !== undefined && whole !== undefined && 'type' in whole && whole.type === 'snapshot');
  assert.deepEqual(comparable(folded.panel), comparable(whole.panel));
  assert.deepEqual(window.log, []);
}

describe('A page whose messages are lost, repeated, or late', () => {
  it('asks for a snapshot, and shows in the end what the host has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 50, size: 'max' }), async (events) => {
        const folder = await mkdtemp(join(tmpdir(), 'k3-lossy-'));
        const world = await openWorld(folder, 1);
        try {
          await walk(world, events);
        } finally {
          for (const window of world.windows) if (!window.isDead()) window.kill();
          world.clock.restore();
          await rm(folder, { recursive: true, force: true });
        }
      }),
      runsOf(15),
    );
  }).timeout(3_600_000);
});
