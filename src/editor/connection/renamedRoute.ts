/** Gives a route another name, and its key with it: a key is stored under the name of its route. */
import * as vscode from 'vscode';
import type { Route } from '../../service/types.ts';
import { showError, withoutLinks } from '../base/notifications.ts';
import { tellUnsaved } from './keyInput.ts';
import type { Keys } from './keys.ts';

const t = vscode.l10n.t;

export interface RenamingDeps {
  readonly keys: Pick<Keys, 'copy' | 'remove'>;
  readonly settings: {
    has(name: string): boolean;
    rename(from: string, to: string): Promise<'renamed' | 'gone' | 'taken'>;
  };
}

/**
 * Returns the name that the route has now. The key is copied first and removed from the earlier name last, so that no
 * failure can lose it. Rejects when the settings can't be written.
 */
export async function renameWithKey(deps: RenamingDeps, route: Route, name: string): Promise<string> {
  const { keys, settings } = deps;
  // The name was free when it was entered. The key of another route would be replaced.
  if (settings.has(name)) return tellUnchanged(route, 'taken', name);
  if (!settings.has(route.name)) return tellUnchanged(route, 'gone', name);
  const renamed = { ...route, name };
  const undo = await keys.copy(route, renamed).catch((error: unknown) => tellUnsaved(renamed, String(error)));
  if (undo === undefined) return route.name;
  const result = await settings.rename(route.name, name).catch(async (error: unknown) => {
    // It can be written although the active route can't.
    if (settings.has(name)) await removeKey(deps, route);
    else await removed(undo, name);
    throw error;
  });
  if (result !== 'renamed') {
    await removed(undo, name);
    return tellUnchanged(route, result, name);
  }
  await removeKey(deps, route);
  return name;
}

const removeKey = ({ keys }: RenamingDeps, route: Route) => removed(() => keys.remove(route), route.name);

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
