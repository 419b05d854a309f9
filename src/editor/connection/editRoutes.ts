/** Edit Routes: a list of the routes, and for each its fields, a check, and removal, without editing JSON. */
import * as vscode from 'vscode';
import { probedAt } from '../../probe/probe.ts';
import { isUnencrypted, parseEnteredAddress } from '../../service/address.ts';
import type { Route } from '../../service/types.ts';
import { askChoice, askText, BACK } from '../base/dialogSteps.ts';
import { askInDialog, showInformation, withoutLinks } from '../base/notifications.ts';
import { withoutIcons } from '../base/quickPicks.ts';
import type { Reports } from '../base/reports.ts';
import { hasRoute, removeRoute, renameRoute } from '../settings/routeSettings.ts';
import { readSettings } from '../settings/settings.ts';
import { probeDay } from '../wording/probeWords.ts';
import { routeKindWord, toRouteItem } from '../wording/routeWords.ts';
import { confirmUnencrypted } from './keyInput.ts';
import type { Keys } from './keys.ts';
import { type KeyTestDeps, setTestedKey } from './keyTest.ts';
import { showProbe } from './probeRoute.ts';
import { type RenamingDeps, removeKey, renameWithKey } from './renamedRoute.ts';
import { checkAddress, checkName } from './routeChecks.ts';
import { type RouteProbes, shareProbe } from './routeProbes.ts';
import type { Routes } from './routes.ts';
import { activateIfThere, changeIfThere } from './shownRefusals.ts';

const t = vscode.l10n.t;

export interface EditRoutesDeps extends KeyTestDeps {
  readonly routes: Routes;
  readonly probes: Pick<RouteProbes, 'of' | 'forget'>;
  readonly reports: Pick<Reports, 'show'>;
}

interface Action extends vscode.QuickPickItem {
  /** Returns the name of the route whose fields are shown next; undefined shows the list. */
  run(): Promise<string | undefined>;
}

/** Shows the list of routes until the user closes it. */
export async function editRoutes(deps: EditRoutesDeps): Promise<void> {
  let current = deps.routes.active()?.route.name;
  for (;;) {
    const items = readSettings().routes.map((route) => routeItem(deps, route));
    const picked = await askChoice<RouteItem>({
      title: t('Edit Routes'),
      placeholder: t('Select a route to edit'),
      items: [...items, ...OTHER_ITEMS()],
      current: items.find(({ name }) => name === current),
      canGoBack: false,
    });
    if (picked === undefined || picked === BACK) return;
    if (picked.command !== undefined) {
      const [command, ...args] = picked.command;
      await vscode.commands.executeCommand(command, ...args);
      return;
    }
    current = picked.name;
    if ((await editRoute(deps, picked.name)) === 'done') return;
  }
}

interface RouteItem extends vscode.QuickPickItem {
  readonly name: string;
  readonly command?: readonly [string, ...unknown[]];
}

const routeItem = ({ routes }: EditRoutesDeps, route: Route): RouteItem => ({
  ...toRouteItem(route, routes.active()?.route.name === route.name),
  name: route.name,
});

const OTHER_ITEMS = (): readonly RouteItem[] => [
  { label: `$(add) ${t('Add Route…')}`, name: '', command: ['k3.addRoute'] },
  {
    label: `$(go-to-file) ${t('Open Settings (JSON)')}`,
    description: t('proxy, certificates, and HTTP/2 of a route'),
    name: '',
    command: ['workbench.action.openSettingsJson', { revealSetting: { key: 'k3.routes', edit: true } }],
  },
];

/** Shows the fields of a route until the user goes back to the list (`back`), or cancels (`done`). */
async function editRoute(deps: EditRoutesDeps, first: string): Promise<'done' | 'back'> {
  let name: string | undefined = first;
  while (name !== undefined) {
    const route: Route | undefined = readSettings().routes.find((one) => one.name === name);
    if (route === undefined) return 'back';
    const picked: Action | typeof BACK | undefined = await askChoice<Action>({
      title: t('Edit Route: {0}', name),
      items: actionsOf(deps, route),
      canGoBack: true,
    });
    if (picked === BACK) return 'back';
    if (picked === undefined) return 'done';
    name = await picked.run();
  }
  return 'back';
}

function actionsOf(deps: EditRoutesDeps, route: Route): readonly Action[] {
  const { routes, keys } = deps;
  const { name, kind, root, model } = route;
  const other = kind === 'direct' ? 'gateway' : 'direct';
  const stay = async (act: Promise<unknown>) => {
    await act;
    return name;
  };
  const active = routes.active()?.route.name === name;
  return [
    ...(active ? [] : [{ label: t('Use This Route'), run: () => stay(activateIfThere(name, routes)) }]),
    {
      label: t('Check Connection'),
      run: async () => {
        await vscode.commands.executeCommand('k3.checkConnection', name);
        return name;
      },
    },
    ...probeActions(deps, route),
    { label: t('Address'), description: withoutIcons(root), run: () => stay(editAddress(deps, route)) },
    { label: t('Name'), description: withoutIcons(name), run: () => editName(keys, route) },
    { label: t('Model'), description: withoutIcons(model), run: () => stay(editModel(route)) },
    {
      label: t('Kind'),
      description: t('{0}; select to change it to {1}', routeKindWord(kind), routeKindWord(other)),
      run: () => stay(changeIfThere(name, { kind: other })),
    },
    { label: t('Set API Key…'), run: () => stay(setTestedKey(deps, route)) },
    { label: t('Remove Route…'), run: () => confirmRemoval(deps, route) },
  ];
}

/** Actions that probe the route and, if it was probed, show or forget the results. */
function probeActions(deps: EditRoutesDeps, route: Route): readonly Action[] {
  const { probes } = deps;
  const stay = async (act: PromiseLike<unknown>) => {
    await act;
    return route.name;
  };
  const probe = probes.of(route);
  return [
    {
      label: t('Probe Route'),
      run: () => stay(vscode.commands.executeCommand('k3.probeRoute', route.name)),
    },
    ...(probe === undefined
      ? []
      : [
          {
            label: t('Show Probe Results'),
            description: t('probed on {0}', probeDay(probedAt(probe))),
            run: () => stay(showProbe(deps, route)),
          },
          { label: t('Forget Probe Results'), run: () => stay(probes.forget(route)) },
        ]),
  ];
}

async function editAddress(deps: EditRoutesDeps, route: Route): Promise<void> {
  const text = await askText({
    title: t('Edit Route: {0}', route.name),
    prompt: t('The base URL of the service, with or without /v1'),
    value: route.root,
    canGoBack: true,
    check: checkAddress,
  });
  if (text === undefined || text === BACK) return;
  const address = parseEnteredAddress(text);
  if (!address.ok) return;
  if (isUnencrypted(address.root) && !(await confirmUnencrypted(address.origin))) return;
  if (!(await changeIfThere(route.name, { baseUrl: address.root }))) return;
  const moved = { ...route, root: address.root, origin: address.origin };
  const found = await deps.keys.find(moved);
  if (found.found || found.why !== 'other-origin') return;
  const set = t('Set API Key…');
  const message = t(
    'The API key of route “{0}” belongs to the previous address and is not sent to {1}.',
    withoutLinks(route.name),
    moved.origin,
  );
  if ((await showInformation(message, set)) === set) await setTestedKey(deps, moved);
}

/** Returns the current name of the route. */
async function editName(keys: Keys, route: Route): Promise<string> {
  const taken = new Set(readSettings().routes.map(({ name }) => name));
  taken.delete(route.name);
  const text = await askText({
    title: t('Edit Route: {0}', route.name),
    prompt: t('The name of the route in the status bar and in k3.routes'),
    value: route.name,
    canGoBack: true,
    check: (entered) => checkName(entered, taken),
  });
  if (text === undefined || text === BACK || text.trim() === route.name) return route.name;
  const name = text.trim();
  return renameWithKey({ keys, settings: RENAMING }, route, name);
}

const RENAMING: RenamingDeps['settings'] = {
  has: hasRoute,
  rename: renameRoute,
  onDidChange: (listener) =>
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('k3.routes')) listener();
    }),
};

async function editModel(route: Route): Promise<void> {
  const text = await askText({
    title: t('Edit Route: {0}', route.name),
    prompt: t('The name that this service uses for svc-k3'),
    value: route.model,
    canGoBack: true,
    check: (entered) => (entered.trim() === '' ? t('Enter the name of a model.') : undefined),
  });
  if (text !== undefined && text !== BACK) await changeIfThere(route.name, { model: text.trim() });
}

/** Returns the name if the route is kept, undefined if it was removed. */
export async function confirmRemoval(
  { keys, probes }: EditRoutesDeps,
  route: Route,
): Promise<string | undefined> {
  const remove = t('Remove Route');
  const chosen = await askInDialog(
    t('Remove route “{0}”?', route.name),
    t('Its API key is removed from secret storage. Conversations are kept.'),
    t('Keep Route'),
    remove,
  );
  if (chosen !== remove) return route.name;
  // If the settings can't be written, the route stays, and needs its key.
  await removeRoute(route.name);
  await removeKey({ keys }, route);
  const isShared = readSettings().routes.some((one) => shareProbe(one, route));
  if (!isShared) await probes.forget(route);
  return undefined;
}
