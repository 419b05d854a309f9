/** A random user of the real workbench. A seed chooses the actions; their results also depend on timing. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Action, NONE } from './actions/action.ts';
import { ACTIONS } from './actions/actions.ts';
import { checkWorld } from './checks.ts';
import { watchPage } from './logs.ts';
import type { Random } from './random.ts';
import { openWorld, type World } from './world.ts';

export interface WalkOptions {
  readonly seed: number;
  readonly steps: number;
  /** 1 or 2 */
  readonly windows: number;
  /** Chooses the actions by their names. */
  readonly only: RegExp;
  /** Where pictures of faults are saved. */
  readonly pictures: string;
  say(line: string): void;
}

/** The number of steps after which everything is compared. */
const CHECKED_EVERY = 20;
const OTHER_WINDOW = 0.3;
/** The number of attempts to find an action that has something to act on, for a step. */
const TRIES = 8;

/** Walks, and returns the faults. */
export async function walk(options: WalkOptions): Promise<readonly string[]> {
  const { seed, steps, windows, only, pictures, say } = options;
  const actions = ACTIONS.filter(({ name }) => only.test(name));
  if (actions.length === 0) throw new Error(`no action has a name like ${only}`);
  mkdirSync(pictures, { recursive: true });
  const world = await openWorld(seed, windows);
  const seen = new Set<string>();
  const tell = async (step: number) => {
    for (const fault of world.faults.filter((one) => !seen.has(one))) {
      seen.add(fault);
      say(`  FAULT ${fault}`);
      for (const { name, page } of world.windows) {
        const path = join(pictures, `${seed}-${step}-${seen.size}-${name}.png`);
        await page.screenshot({ path }).catch(() => undefined);
      }
    }
  };
  try {
    for (const at of world.windows) {
      watchPage(at.page, (fault) => world.faults.push(`${at.name}: ${fault}`));
      await at.run('K3: Focus Chat');
    }
    let at = 0;
    for (let step = 1; step <= steps; step++) {
      if (world.random.chance(OTHER_WINDOW)) at = (at + 1) % world.windows.length;
      say(
        `${String(step).padStart(3)} ${await takeStep(world, at, actions, join(pictures, `${seed}-${step}-missed.png`))}`,
      );
      if (step % CHECKED_EVERY === 0 || step === steps) await checkWorld(world, say);
      await tell(step);
    }
  } catch (error) {
    // The walk itself couldn't continue.
    world.faults.push(`the walk ended: ${error instanceof Error ? error.stack : error}`);
    await tell(steps);
  } finally {
    await world.close();
  }
  return [...seen];
}

/** Returns a description of the action. Saves a picture if something was in the way. */
async function takeStep(
  world: World,
  index: number,
  actions: readonly Action[],
  picture: string,
): Promise<string> {
  const at = world.windows[index] ?? world.windows[0];
  if (at === undefined) throw new Error('there is no window');
  await at.page.bringToFront();
  for (let tries = 1; ; tries++) {
    const { name, act } = next(world.random, actions);
    const result = await act(world, at).catch(async (error: Error) => {
      // Something else had the focus, or was in the way. A user would try something else.
      await at.page.screenshot({ path: picture }).catch(() => undefined);
      await at.page.keyboard.press('Escape');
      return `! ${error.message.split('\n', 1)[0]}`;
    });
    if (result === NONE && tries < TRIES) continue;
    return `${at.name} ${name}: ${result}`;
  }
}

function next(random: Random, actions: readonly Action[]): Action {
  let left = random.fraction() * actions.reduce((sum, { weight }) => sum + weight, 0);
  const found = actions.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return found ?? random.pick(actions);
}
