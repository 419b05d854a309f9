import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { runsOf } from '../../../support/mutations.ts';
import { checkAll } from '../../../support/windows/checks.ts';
import { anyStep, runStep, type Step } from '../../../support/windows/steps.ts';
import { openWorld } from '../../../support/windows/world.ts';

/** Found by random steps before, the shortest that showed it: what is done in which window. */
const FOUND: readonly (readonly (readonly [what: string, side: number, other?: number])[])[] = [
  // The draft of a conversation without a question couldn't be found after a reload.
  [['type', 1]],
  // A window with an empty conversation didn't see that another one asked in it.
  [
    ['clear queue', 1],
    ['send', 0],
  ],
  // A message of one window removed the images that the other one had attached.
  [
    ['full disk', 1],
    ['attach', 0],
    ['send', 1],
  ],
  // The end of a turn that a full disk delayed undid a new title of the other window.
  [
    ['send', 0],
    ['rename', 1],
    ['full disk', 0],
  ],
  [
    ['send', 1],
    ['wait 3 s', 0],
    ['full disk', 0],
  ],
  // A draft that a full disk delayed replaced a later one of the other window.
  [
    ['full disk', 0],
    ['delete', 0],
    ['full disk', 1],
    ['full disk', 0],
  ],
  // An edited question that waited for a dialog undid a new pin.
  [
    ['send', 0],
    ['hold', 1],
    ['complete', 0],
    ['edit', 1],
    ['pin', 1],
  ],
  // A new title during a dialog hid what the other window had asked meanwhile.
  [
    ['complete', 1],
    ['hold', 0],
    ['send', 1],
    ['complete', 0],
    ['full disk', 0],
    ['edit', 1],
    ['full disk', 0],
    ['rename', 0],
  ],
  // A window that was killed after it took a question from the queue, and before it asked it, lost the question.
  [
    ['send', 1],
    ['send', 1],
    ['hold', 1],
    ['complete', 1],
    ['kill at a write', 1, 3],
    ['let go', 1],
  ],
  // An import reads the conversation with the same id, which ends the turn that the reload cut. This test took that
  // for a change by the import.
  [
    ['send', 0],
    ['export', 0],
    ['reload', 0],
    ['import', 0],
  ],
  // With a full disk a window ran a turn beside the one of the other window, and then showed something else.
  [
    ['send', 1],
    ['send', 0],
    ['full disk', 0],
    ['cut', 0],
    ['edit', 0],
  ],
  // A queue that a full disk delayed brought back a question that the other window had taken from it.
  [
    ['send', 1],
    ['send', 1],
    ['clear queue', 0],
    ['full disk', 1],
  ],
  // What arrived in a window that was frozen was lost with it, because another window had ended the turn meanwhile.
  [
    ['send', 1],
    ['freeze', 1],
    ['full disk', 0],
    ['thaw', 1],
    ['wait 15 s', 0],
    ['reload', 1],
  ],
  // The branches had another order in memory than on the disk, so an export that was imported again became a copy.
  [
    ['send', 0],
    ['complete', 0],
    ['edit', 0],
    ['stop', 0],
    ['show version', 0],
    ['edit', 0],
  ],
];
const toSteps = (all: (typeof FOUND)[number]): Step[] =>
  all.map(([what, side, other = 0]) => ({ do: what, side, which: 0, other }));

/** Runs the steps in a new world of so many windows, and looks at all that must be true in the end. */
async function walk(windows: number, steps: readonly Step[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'k3-windows-'));
  const world = await openWorld(folder, windows);
  try {
    for (const step of steps) await runStep(world, step);
    await checkAll(world);
  } finally {
    for (const window of world.windows) if (!window.isDead()) window.kill();
    world.clock.restore();
    await rm(folder, { recursive: true, force: true });
  }
}

const steps = (windows: number) => fc.array(anyStep(windows), { maxLength: 40, size: 'max' });

describe('Windows that ask, queue, edit, import, freeze, and are killed', () => {
  it('lose nothing, send nothing twice, end and count each turn once, and show the same: two', async () => {
    await fc.assert(
      fc.asyncProperty(steps(2), (all) => walk(2, all)),
      { ...runsOf(FOUND.length + 15), examples: FOUND.map((all) => [toSteps(all)]) },
    );
  }).timeout(3_600_000);

  it('do so when there are three of them', async () => {
    await fc.assert(
      fc.asyncProperty(steps(3), (all) => walk(3, all)),
      runsOf(8),
    );
  }).timeout(3_600_000);
});
