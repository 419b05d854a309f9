/** The state of a walk: the workbench, its windows, the service, and the sent texts. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { CANARY } from '../canary.ts';
import { removeFolderSync } from '../removeFolder.ts';
import { copySample } from '../takePictures.ts';
import { startWorkbench, type Workbench } from '../workbench.ts';
import type { HunkFile } from './hunkFile.ts';
import { copyLoggedExtension, type LoggedExtension } from './loggedExtension.ts';
import { createRandom, type Random } from './random.ts';
import { startWalkService, type WalkService } from './service.ts';
import { openSecondWindow, toWalkWindow, type WalkWindow } from './walkWindow.ts';

export interface World {
  readonly seed: number;
  readonly random: Random;
  readonly service: WalkService;
  readonly workbench: Workbench;
  readonly windows: readonly WalkWindow[];
  readonly extension: LoggedExtension;
  /** Texts that were sent and must be somewhere: in a question, the queue, or a box. */
  readonly sent: Set<string>;
  readonly faults: string[];
  /** Where the files under review are, by the name of the window. */
  readonly hunkFiles: Map<string, HunkFile>;
  /** A text that occurs nowhere else. */
  newText(kind: string): string;
  /** Applies a route, and other settings, in all windows. */
  applySettings(route: string, others?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Another program writes to the conversation database for this time, so that no window can. In milliseconds. */
  lock(ms: number): void;
  /** Resolves when the database is free, and the windows have had the time to write. */
  unlocked(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorld(seed: number, windowCount: number): Promise<World> {
  const random = createRandom(seed);
  const folders: string[] = [];
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'k3-walk-'));
    folders.push(folder);
    copySample(folder);
    asRepository(folder);
    return folder;
  };
  const service = await startWalkService(random.pick([60, 150, 400]));
  const settings = (route: string) => ({
    'k3.routes': service.settings(),
    'k3.route': route,
    'k3.presets': { Terse: { prompt: 'Be brief.' } },
    'files.simpleDialog.enable': true,
  });
  const extension = copyLoggedExtension();
  folders.push(extension.folder);
  const folder = newFolder();
  const workbench = await startWorkbench({
    folder,
    extensionPath: extension.folder,
    env: { K3_API_KEY: CANARY },
    settings: settings('work'),
    searchForKey: false,
  });
  const windows = [toWalkWindow('A', workbench.page, folder, random)];
  if (windowCount > 1) {
    const other = newFolder();
    windows.push(toWalkWindow('B', await openSecondWindow(workbench, other), other, random));
  }
  for (const { page } of windows) page.setDefaultTimeout(5000);
  let count = 0;
  let locked: Promise<void> = Promise.resolve();
  return {
    seed,
    random,
    service,
    workbench,
    windows,
    extension,
    sent: new Set(),
    faults: [],
    hunkFiles: new Map(),
    newText: (kind) => `${kind} ${seed}x${++count}y`,
    async applySettings(route, others = {}) {
      await workbench.page.bringToFront();
      await workbench.updateSettings({ ...settings(route), ...others });
      for (const one of windows.slice(1)) {
        await one.run('Tests: Apply Settings Again');
        await one.page.locator('.statusbar-item', { hasText: 'Settings applied' }).waitFor();
      }
    },
    lock(ms) {
      locked = locked.then(() => holdDatabase(workbench.globalStorage, ms));
    },
    unlocked: () => locked,
    async close() {
      await locked;
      await workbench.dispose();
      await service.leave();
      for (const one of folders) removeFolderSync(one);
    },
  };
}

/** Makes the folder a repository, so that later changes of its files can be reviewed. */
function asRepository(cwd: string): void {
  const git = (...args: string[]) => void execFileSync('git', args, { cwd });
  git('init', '-q');
  git('config', 'user.email', 'reader@example.com');
  git('config', 'user.name', 'Reader');
  git('add', '.');
  git('commit', '-qm', 'feat: show departures');
}

/** Windows that couldn't write try again within this time, in milliseconds. */
const WRITTEN_WITHIN_MS = 3000;

async function holdDatabase(globalStorage: string, ms: number): Promise<void> {
  const db = new DatabaseSync(join(globalStorage, 'history/conversations.db'), { timeout: 1000 });
  try {
    db.exec('BEGIN IMMEDIATE');
    await pause(ms);
    db.exec('ROLLBACK');
  } catch {
    // A window is writing, which also locks the database.
  } finally {
    db.close();
  }
  await pause(WRITTEN_WITHIN_MS);
}
