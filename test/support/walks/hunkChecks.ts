/** The checks of the hunks of a file under review, and of files that must not change. */
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { openFile } from './actions/action.ts';
import type { WalkWindow } from './walkWindow.ts';
import type { World } from './world.ts';

const SAME_WITHIN_MS = 20_000;
const DRAWN_WITHIN_MS = 2000;
/** The file to which walks append lines. */
const APPENDED = 'src/fares.js';

const rejectLenses = ({ page }: WalkWindow) =>
  page.locator('.codelens-decoration a:visible').getByText('Reject', { exact: true });

/** The number of open hunks, when all are drawn. */
const stableCount = (at: WalkWindow) =>
  eventually(async () => {
    await at.page.keyboard.press('Control+Home');
    const first = await rejectLenses(at).count();
    await pause(DRAWN_WITHIN_MS);
    if ((await rejectLenses(at).count()) !== first) throw new Error('hunks are being drawn');
    return first;
  });

/** Loads the window again, and compares the open hunks of its file under review. */
export async function keepsHunks(world: World, at: WalkWindow, load: () => Promise<void>): Promise<void> {
  const file = world.hunkFiles.get(at.name);
  if (file === undefined) return load();
  await openFile(at, file.name);
  const before = await stableCount(at);
  await load();
  await openFile(at, file.name);
  await eventually(async () => {
    // Lenses outside of the view are not drawn.
    await at.page.keyboard.press('Control+Home');
    const after = await rejectLenses(at).count();
    if (after !== before) throw new Error(`${file.name} has ${after} open hunks, not ${before}`);
  }, SAME_WITHIN_MS).catch((error) => world.faults.push(`${at.name}, loaded again: ${error}`));
}

/** Only files that the walk itself changes have changed in the folder. */
export function checkFiles(world: World, at: WalkWindow): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: at.folder, encoding: 'utf8' });
  const changed = git('diff', '--name-only')
    .split('\n')
    .filter((name) => name !== '' && name !== APPENDED);
  const removed = git('diff', '-U0', APPENDED)
    .split('\n')
    .filter((line) => /^-[^-]/.test(line));
  for (const what of [...changed, ...removed]) {
    const fault = `${at.name}: changed without a decision: ${what}`;
    if (!world.faults.includes(fault)) world.faults.push(fault);
  }
}
