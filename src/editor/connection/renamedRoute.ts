/** Renames a route together with its key: a key is stored under the name of its route. */
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Route } from '../../service/types.ts';
import { showError, showInformation, withoutLinks } from '../base/notifications.ts';
import { tellUnsaved } from './keyInput.ts';
import type { Keys } from './keys.ts';

const t = vscode.l10n.t;

export interface RenamingDeps {
  readonly keys: Pick<Keys, 'copy' | 'remove' | 'isStored' | 'moved'>;
  readonly settings: {
    has(name: string): boolean;
    rename(from: string, to: string): Promise<'renamed' | 'gone' | 'taken'>;
    /** Calls the listener when the routes have changed, in any window. */
    onDidChange(listener: () => void): vscode.Disposable;
  };
  /** How long the routes are watched after a rename, and how long other work of this window on them may take, in milliseconds. */
  readonly times?: { readonly watch: number; readonly settle: number };
}

const TIMES = { watch: 10_000, settle: 1000 };

/**
 * Returns the current name of the route. The key is copied first and removed from the earlier name last, so that no failure can lose
 * it. Rejects when the settings can't be written.
 */
export async function renameWithKey(deps: RenamingDeps, route: Route, name: string): Promise<string> {
  const { keys, settings } = deps;
  // The name was free when it was entered, but another route may have it by now, whose key would be replaced.
  if (settings.has(name)) return tellUnchanged(route, 'taken', name);
  if (!settings.has(route.name)) return tellUnchanged(route, 'gone', name);
  const renamed = { ...route, name };
  const undo = await keys.copy(route, renamed).catch((error: unknown) => tellUnsaved(renamed, String(error)));
  if (undo === undefined) return route.name;
  const result = await settings.rename(route.name, name).catch(async (error: unknown) => {
    // The routes can have been written even if writing the active route has failed.
    if (settings.has(name)) await leaveName(deps, route, renamed);
    else await removed(undo, name);
    throw error;
  });
  if (result !== 'renamed') {
    await removed(undo, name);
    return tellUnchanged(route, result, name);
  }
  await leaveName(deps, route, renamed);
  watch(deps, route, renamed);
  return name;
}

function leaveName(deps: RenamingDeps, route: Route, renamed: Route): Promise<void> {
  deps.keys.moved(route, renamed);
  return removeKey(deps, route);
}

/** Removes the key of a route. If that fails, the user is told, and can try again. */
export const removeKey = ({ keys }: Pick<RenamingDeps, 'keys'>, route: Route): Promise<void> =>
  removed(() => keys.remove(route), route.name);

/** Removes a key that no route has anymore. While that fails, the user is told, and can try again. */
async function removed(remove: () => Promise<void>, name: string): Promise<void> {
  try {
    await remove();
  } catch {
    void tellLeft(remove, name);
  }
}

async function tellLeft(remove: () => Promise<void>, name: string): Promise<void> {
  const again = t('Try Again');
  const message = t(
    'The editor’s secret storage didn’t remove the API key of the name “{0}”. Unlock the system keyring and try again.',
    withoutLinks(name),
  );
  if ((await showError(message, again)) === again) await removed(remove, name);
}

function tellUnchanged({ name }: Route, why: 'taken' | 'gone', wanted: string): string {
  const message =
    why === 'taken'
      ? t('A route named “{0}” already exists.', wanted)
      : t('The route was changed or removed.');
  void showError(message);
  return name;
}

/**
 * Handles another window that has written all routes at the same time, based on their state before the rename. Unless the settings
 * rename the route again in the meantime, it then has its earlier name, or a third one.
 */
function watch(deps: RenamingDeps, route: Route, renamed: Route): void {
  const { watch: watchMs, settle } = deps.times ?? TIMES;
  const listening = deps.settings.onDidChange(() => {
    if (deps.settings.has(renamed.name)) return;
    stop();
    // It can be a change of this window, which moves or removes the key next.
    void pause(settle).then(() => followRoutes(deps, route, renamed));
  });
  const timer = setTimeout(stop, watchMs);
  function stop(): void {
    clearTimeout(timer);
    listening.dispose();
  }
}

async function followRoutes(deps: RenamingDeps, route: Route, renamed: Route): Promise<void> {
  const { keys, settings } = deps;
  const isLeft = !settings.has(renamed.name) && (await keys.isStored(renamed).catch(() => true));
  if (!isLeft) return;
  // A key that was saved under the earlier name since then is the newer one.
  const isBack = settings.has(route.name) && !(await keys.isStored(route).catch(() => true));
  if (isBack && (await copied(keys, renamed, route))) await leaveName(deps, renamed, route);
  else await offerRemoval(deps, renamed);
}

const copied = (keys: RenamingDeps['keys'], from: Route, to: Route): Promise<boolean> =>
  keys.copy(from, to).then(
    () => true,
    () => false,
  );

/** Asks before the key is removed, because the other window may need it but not have found it. */
async function offerRemoval(deps: RenamingDeps, renamed: Route): Promise<void> {
  const remove = t('Remove Key');
  const message = t(
    'Another window has changed the routes at the same time, and none is named “{0}” now. The API key that was saved for it is still in the editor’s secret storage.',
    withoutLinks(renamed.name),
  );
  if ((await showInformation(message, remove)) === remove) await removeKey(deps, renamed);
}
