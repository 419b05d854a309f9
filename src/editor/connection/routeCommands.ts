/** Commands for routes and keys: add, switch, and edit routes, set and clear a key. */
import * as vscode from 'vscode';
import { environmentVariableFor, isUnencrypted, parseBaseAddress } from '../../service/address.ts';
import { parseKey } from '../../service/apiKey.ts';
import { createKeyMask } from '../../service/keyMask.ts';
import { DEFAULT_MODEL } from '../../service/limits.ts';
import type { Route, RouteKind } from '../../service/types.ts';
import { showError, showInformation, withoutLinks } from '../base/notifications.ts';
import { readSettings, writeActiveRoute, writeRoute } from '../base/settings.ts';
import { describeSettingProblem } from '../wording/refusalWords.ts';
import type { Keys } from './keys.ts';
import type { Routes } from './routes.ts';

const t = vscode.l10n.t;

export interface RouteCommandsDeps {
  readonly routes: Routes;
  readonly keys: Keys;
}

export function registerRouteCommands(deps: RouteCommandsDeps): vscode.Disposable {
  const { routes, keys } = deps;
  return vscode.Disposable.from(
    vscode.commands.registerCommand('k3.addRoute', () => addRoute(deps)),
    vscode.commands.registerCommand('k3.switchRoute', () => switchRoute(deps)),
    vscode.commands.registerCommand('k3.editRoutes', () =>
      vscode.commands.executeCommand('workbench.action.openSettingsJson', {
        revealSetting: { key: 'k3.routes', edit: true },
      }),
    ),
    vscode.commands.registerCommand('k3.setKey', () => withRoute(routes, (route) => setKey(keys, route))),
    vscode.commands.registerCommand('k3.clearKey', () => withRoute(routes, (route) => clearKey(keys, route))),
  );
}

/** Asks for kind, address, name, and key. Esc cancels at each step; nothing is saved before the last one. */
async function addRoute(deps: RouteCommandsDeps): Promise<void> {
  const kind = await pickKind();
  if (kind === undefined) return;
  const baseUrl = await vscode.window.showInputBox({
    title: t('Add Route (2 of 4): Address'),
    prompt: t('The base URL of the service, with or without /v1'),
    placeHolder: 'https://host/v1',
    ignoreFocusOut: true,
    validateInput: checkAddress,
  });
  if (baseUrl === undefined) return;
  const address = parseBaseAddress(baseUrl);
  if (!address.ok) return;
  const name = await askName(new URL(address.root).hostname);
  if (name === undefined) return;
  const route: Route = { name, kind, root: address.root, origin: address.origin, model: DEFAULT_MODEL };
  const key = await askKey(route, t('Add Route (4 of 4): API Key'));
  if (key === undefined) return;
  if (key !== '' && !(await saveKey(deps.keys, route, key))) return;
  await writeRoute(name, { kind, baseUrl: address.root }, true);
  const check = t('Check Connection');
  const chosen = await showInformation(t('Route “{0}” was added and is now active.', name), check);
  if (chosen === check) await vscode.commands.executeCommand('k3.checkConnection');
}

async function pickKind(): Promise<RouteKind | undefined> {
  const kinds: (vscode.QuickPickItem & { readonly routeKind: RouteKind })[] = [
    { label: t('Direct'), description: t('the provider’s own address'), routeKind: 'direct' },
    { label: t('Gateway'), description: t('an address that forwards requests'), routeKind: 'gateway' },
  ];
  const title = t('Add Route (1 of 4): Kind');
  const picked = await vscode.window.showQuickPick(kinds, { title, ignoreFocusOut: true });
  return picked?.routeKind;
}

function checkAddress(text: string): vscode.InputBoxValidationMessage | undefined {
  const address = parseBaseAddress(text);
  if (!address.ok) {
    const message = describeSettingProblem({
      setting: 'baseUrl',
      problem: address.problem,
      value: text.trim(),
    });
    return { message, severity: vscode.InputBoxValidationSeverity.Error };
  }
  if (!isUnencrypted(address.root)) return undefined;
  return {
    message: t('Unencrypted HTTP to another machine: the API key can be intercepted.'),
    severity: vscode.InputBoxValidationSeverity.Warning,
  };
}

async function askName(suggestion: string): Promise<string | undefined> {
  const taken = new Set(readSettings().routes.map(({ name }) => name));
  const name = await vscode.window.showInputBox({
    title: t('Add Route (3 of 4): Name'),
    prompt: t('The name of the route in the status bar and in k3.routes'),
    value: taken.has(suggestion) ? '' : suggestion,
    ignoreFocusOut: true,
    validateInput: (text) => {
      if (text.trim() === '') return t('Enter a name.');
      return taken.has(text.trim()) ? t('A route named “{0}” already exists.', text.trim()) : undefined;
    },
  });
  return name?.trim();
}

/** The key (`parseKey`). Empty when the user sets it later, undefined when cancelled. */
async function askKey(route: Route, title: string): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title,
    prompt: t(
      'The API key for {0}. It is stored in the editor’s secret storage and sent only to this address.',
      route.origin,
    ),
    placeHolder: t('Leave empty to set it later'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (parseKey(text) === undefined ? keyProblem() : undefined),
  });
  const parsed = key === undefined ? undefined : parseKey(key);
  // An input box can be accepted before its text is checked.
  if (key !== undefined && parsed === undefined) void showError(keyProblem());
  return parsed;
}

const keyProblem = () =>
  t('An API key can contain only ASCII letters, digits, and symbols, without spaces or line breaks.');

async function switchRoute({ routes }: RouteCommandsDeps): Promise<void> {
  const settings = readSettings();
  const active = routes.active(settings)?.route.name;
  const add = { label: `$(add) ${t('Add Route…')}`, name: undefined };
  const items = settings.routes.map((route) => ({
    label: `${route.name === active ? '$(check) ' : ''}${route.name.replaceAll('$(', '$ (')}`,
    description: `${route.kind} · ${route.root}`,
    name: route.name,
  }));
  const picked = await vscode.window.showQuickPick([...items, add], { title: t('Switch Route') });
  if (picked === undefined) return;
  if (picked.name === undefined) {
    await vscode.commands.executeCommand('k3.addRoute');
    return;
  }
  routes.useDemo(undefined);
  await writeActiveRoute(picked.name);
}

/** Runs an action on the active route of the settings. The demo has no key to set or clear. */
async function withRoute<T>(routes: Routes, act: (route: Route) => Promise<T>): Promise<T | undefined> {
  const active = routes.active();
  if (active !== undefined && active.demoKey === undefined) return act(active.route);
  const add = t('Add Route…');
  const message =
    active === undefined
      ? t('There is no route yet. Add a route before you set an API key.')
      : t('The demo doesn’t need an API key.');
  if ((await showInformation(message, add)) === add) await vscode.commands.executeCommand('k3.addRoute');
  return undefined;
}

/** Returns whether a key was saved. */
async function setKey(keys: Keys, route: Route): Promise<boolean> {
  const key = await askKey(route, t('API key for route “{0}”', route.name));
  if (key === undefined || key === '') return false;
  return saveKey(keys, route, key);
}

/** Returns whether the key was saved. If not, the user is told. */
async function saveKey(keys: Keys, route: Route, key: string): Promise<boolean> {
  try {
    await keys.save(route, key);
    return true;
  } catch (error) {
    const message = t(
      'The editor’s secret storage didn’t save the API key for route “{0}” ({1}). Unlock the system keyring and try again, or set the environment variable {2}.',
      route.name,
      createKeyMask(key).text(String(error)),
      environmentVariableFor(route),
    );
    void showError(message);
    return false;
  }
}

async function clearKey(keys: Keys, route: Route): Promise<void> {
  try {
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
  const removed = t('The API key for route “{0}” was removed from secret storage.', withoutLinks(route.name));
  const still = t(
    'The key in the environment variable {0} will be used instead.',
    environmentVariableFor(route),
  );
  void showInformation(left.found ? `${removed} ${still}` : removed);
}
