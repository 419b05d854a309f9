/** Where a window saves the data of its workspace. */
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';

export interface WindowPlace {
  /** A local folder. If undefined, nothing is saved in files. */
  readonly home: string | undefined;
  /** The ID of this window if windows of other workspaces save in the same folder. Undefined if only windows of this workspace do. */
  readonly window?: string | undefined;
}

/** The names of the folder of proposals, with one file for each, and of the folder of all other items. */
export const [REVIEWS, ITEMS] = ['reviews', 'items'] as const;

/** Returns the place in the storage of the workspace. Windows without a folder share a place in the global storage. */
export function toWindowPlace(
  context: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri' | 'workspaceState'>,
  log: Pick<Log, 'warn'>,
): WindowPlace {
  const { storageUri, globalStorageUri, workspaceState } = context;
  const { scheme, fsPath } = storageUri ?? globalStorageUri;
  const home = scheme === 'file' ? fsPath : undefined;
  if (home !== undefined) takeAlong(home, workspaceState, log);
  return storageUri === undefined ? { home, window: windowIdIn(workspaceState, log) } : { home };
}

const PLACE = 'k3.reviews';

/** Copies the files of a window that got a second folder: the editor gives it another storage folder, and moves only its state there. */
function takeAlong(home: string, state: vscode.Memento, log: Pick<Log, 'warn'>): void {
  const earlier: unknown = state.get(PLACE);
  if (earlier === join(home, REVIEWS)) return;
  try {
    for (const name of typeof earlier === 'string' ? [REVIEWS, ITEMS] : []) {
      const from = join(dirname(String(earlier)), name);
      if (!existsSync(from)) continue;
      mkdirSync(join(home, name), { recursive: true, mode: 0o700 });
      cpSync(from, join(home, name), { recursive: true, force: false });
    }
    inBackground(log, state.update(PLACE, join(home, REVIEWS)), 'saving the place of reviews');
  } catch (error) {
    log.warn(`couldn't copy the reviews of the window before it had a second folder: ${String(error)}`);
  }
}

const WINDOW = 'k3.window';

/** The state of a window without a folder is kept together with its untitled documents. */
function windowIdIn(state: vscode.Memento, log: Pick<Log, 'warn'>): string {
  const known: unknown = state.get(WINDOW);
  if (typeof known === 'string') return known;
  const id = randomUUID();
  inBackground(log, state.update(WINDOW, id), 'saving the ID of the window');
  return id;
}
