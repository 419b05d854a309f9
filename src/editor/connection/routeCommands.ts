/** Commands for routes and keys: add, switch, and edit routes, set and clear a key, and check the connection. */
import * as vscode from 'vscode';
import { environmentVariableFor } from '../../service/address.ts';
import type { Route } from '../../service/types.ts';
import { atFirstUse } from '../base/atFirstUse.ts';
import { pickFrom } from '../base/dialogSteps.ts';
import { offerCommands, showError, showInformation, withoutLinks } from '../base/notifications.ts';
import { joinSentences } from '../base/sentences.ts';
import { readSettings } from '../settings/settings.ts';
import { toRouteItem } from '../wording/routeWords.ts';
import type { AddRouteDeps } from './addRoute.ts';
import type { ConnectionCheckDeps } from './connectionCheck.ts';
import type { EditRoutesDeps } from './editRoutes.ts';
import { registerLostKeys } from './environmentKeyDialog.ts';
import type { Keys } from './keys.ts';
import type { Routes } from './routes.ts';
import { activateIfThere, showNoRoute, tellRouteGone } from './shownRefusals.ts';

const t = vscode.l10n.t;

export interface RouteCommandsDeps extends AddRouteDeps, EditRoutesDeps, ConnectionCheckDeps {
  readonly reports: ConnectionCheckDeps['reports'];
  readonly probes: EditRoutesDeps['probes'] & ConnectionCheckDeps['probes'];
}

export function registerRouteCommands(deps: RouteCommandsDeps): vscode.Disposable {
  const { routes, keys, walkthrough } = deps;
  const parts = atFirstUse(() => import('./connectionParts.ts'), deps.log);
  /** The running checks, by route name. */
  const checking = new Map<string | undefined, Promise<unknown>>();
  return vscode.Disposable.from(
    parts,
    registerLostKeys(keys, deps.log),
    vscode.commands.registerCommand('k3.addRoute', async () => {
      const isAdded = await parts.run(({ addRoute }) => addRoute(deps));
      // `k3.route` can already have this name. No setting has changed then that would end the demo.
      if (isAdded) routes.useDemo(undefined);
      return isAdded;
    }),
    // By default, of the active route.
    vscode.commands.registerCommand('k3.checkConnection', (given: unknown) => {
      const asked = typeof given === 'string' ? given : undefined;
      if (asked !== undefined && routes.named(asked) === undefined) return tellRouteGone();
      const name = asked ?? routes.active()?.route.name;
      // The progress of the running check is shown, and a second request would be billed.
      if (checking.has(name)) return checking.get(name);
      const check = parts.run(({ checkConnection }) => checkConnection(deps, asked));
      checking.set(name, check);
      return check.finally(() => checking.delete(name));
    }),
    // The chat passes a function that is called as soon as the user has chosen: until the setting is written, the user may press the
    // next key.
    vscode.commands.registerCommand('k3.switchRoute', (chosen: unknown) =>
      switchRoute(deps, typeof chosen === 'function' ? () => chosen() : () => undefined),
    ),
    vscode.commands.registerCommand('k3.editRoutes', () => parts.run(({ editRoutes }) => editRoutes(deps))),
    // By default, of the active route.
    vscode.commands.registerCommand('k3.setKey', async (name: unknown) => {
      const named = typeof name === 'string' ? routes.named(name) : routes.active();
      if (typeof name === 'string' && named === undefined) return tellRouteGone();
      return withRoute({ active: () => named }, async (route) => {
        const isSet = await parts.run(({ setTestedKey }) => setTestedKey(deps, route));
        if (isSet) walkthrough.done('key');
        return isSet;
      });
    }),
    vscode.commands.registerCommand('k3.clearKey', () => withRoute(routes, (route) => clearKey(keys, route))),
  );
}

/** Returns whether the user chose a route, even if it was already active. */
async function switchRoute({ routes }: RouteCommandsDeps, chosen: () => void): Promise<boolean> {
  const settings = readSettings();
  const active = routes.active(settings)?.route.name;
  const add = { label: `$(add) ${t('Add Route…')}`, name: undefined };
  const items = settings.routes.map((route) => ({
    ...toRouteItem(route, route.name === active),
    name: route.name,
  }));
  const current = items.find(({ name }) => name === active);
  const picked = await pickFrom([...items, add], current, { title: t('Switch Route') });
  if (picked === undefined) return false;
  if (picked.name === undefined)
    return (await vscode.commands.executeCommand<boolean>('k3.addRoute')) === true;
  return activateIfThere(picked.name, routes, chosen);
}

/** Runs an action on the active route of the settings. The demo has no key to set or clear. */
async function withRoute<T>(
  routes: Pick<Routes, 'active'>,
  act: (route: Route) => Promise<T>,
): Promise<T | undefined> {
  const active = routes.active();
  if (active !== undefined && active.demoKey === undefined) return act(active.route);
  if (active === undefined) {
    await showNoRoute();
    return undefined;
  }
  const message = t('The demo doesn’t need an API key.');
  await offerCommands(showInformation, message, [t('Add Route…'), 'k3.addRoute']);
  return undefined;
}

async function clearKey(keys: Keys, route: Route): Promise<void> {
  let wasStored: boolean;
  try {
    // The key can be removed even if it can't be read.
    wasStored = await keys.isStored(route).catch(() => true);
    await keys.clear(route);
  } catch {
    const message = t(
      'The editor’s secret storage didn’t remove the API key for route “{0}”, so the key is still used. Unlock the system keyring and run “K3: Clear API Key” again.',
      route.name,
    );
    void showError(message);
    return;
  }
  const left = await keys.find(route);
  const name = withoutLinks(route.name);
  const variable = environmentVariableFor(route);
  const [removed, still] = wasStored
    ? [
        t('The API key for route “{0}” was removed from secret storage.', name),
        t('The key in the environment variable {0} will be used instead.', variable),
      ]
    : [
        t('No API key is stored for route “{0}”.', name),
        t('The key in the environment variable {0} is used.', variable),
      ];
  void showInformation(joinSentences([removed, left.found ? still : '']));
}
