/** Changes the routes in the user's settings, which other windows change as well. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { messageOf } from '../../service/errorMessage.ts';
import type { RouteNetwork } from '../../service/types.ts';
import { showError } from '../base/notifications.ts';
import { ToldError } from '../base/toldError.ts';
import { asRecord } from './settingFields.ts';
import { isHiddenValue, readGlobal, writeGlobal } from './settings.ts';

/** A route as it is written in `k3.routes`. */
export interface RouteSetting {
  readonly kind: string;
  readonly baseUrl: string;
  readonly model?: string;
  readonly network?: RouteNetwork;
}

type Routes = Readonly<Record<string, unknown>>;

const readWritten = (): Routes => asRecord(readGlobal('routes'));

/** Writes a route to the user's settings. */
export const writeRoute = (name: string, route: RouteSetting): Promise<void> =>
  changeRoutes((routes) => ({ ...routes, [name]: route }));

/** Changes fields of a route. Its other fields stay as they are. Returns false if there is none of that name. */
export async function changeRoute(name: string, change: Partial<RouteSetting>): Promise<boolean> {
  if (readWritten()[name] === undefined) return false;
  await changeRoutes((routes) => ({ ...routes, [name]: { ...asRecord(routes[name]), ...change } }));
  return true;
}

/** Whether there is a route of this name, even if it can't be used. */
export const hasRoute = (name: string): boolean => routeNames().has(name);

/** The names of all routes, even of those that can't be used. */
export const routeNames = (): ReadonlySet<string> => new Set(Object.keys(readWritten()));

/**
 * Renames a route. If it is the active route, it stays active. Returns `gone` if there is no such route, and `taken` if another one has
 * the new name.
 */
export async function renameRoute(from: string, to: string): Promise<'renamed' | 'gone' | 'taken'> {
  const routes = readWritten();
  if (!Object.hasOwn(routes, from)) return 'gone';
  if (Object.hasOwn(routes, to)) return 'taken';
  // Keeps the order of the routes.
  const renamed = Object.entries(routes).map(([name, route]) => [name === from ? to : name, route]);
  await changeRoutes(() => Object.fromEntries(renamed));
  if (readGlobal('route') === from) await writeActiveRoute(to);
  return 'renamed';
}

export async function removeRoute(name: string): Promise<void> {
  if (readWritten()[name] === undefined) return;
  await changeRoutes(({ [name]: _, ...others }) => others);
  if (readGlobal('route') === name) await writeActiveRoute('');
}

const writeRoutes = (routes: Routes): Promise<void> => writeGlobal('routes', routes);

export const writeActiveRoute = (name: string): Promise<void> => writeGlobal('route', name);

/** How long the last change of the routes is watched, in milliseconds. */
const WATCH_MS = 10_000;

/** Only the last change is watched. */
let stopWatching = (): void => undefined;

async function changeRoutes(change: (routes: Routes) => Routes): Promise<void> {
  if (isHiddenValue(readGlobal('routes')))
    throw new ToldError(
      vscode.l10n.t(
        'Your routes can’t be changed because the settings of the remote machine contain names in k3.routes. Remove these names first.',
      ),
    );
  const before = readWritten();
  const after = change(before);
  stopWatching();
  await writeRoutes(after);
  watch(before, after);
}

/**
 * Makes a change again if another window has reverted it: a window that doesn't know the change yet may write all routes as they were
 * before, together with a change of its own. A write that only reverts the change is intended, and isn't undone.
 */
function watch(before: Routes, after: Routes): void {
  const changed = namesIn(before, after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  let last = after;
  const listening = vscode.workspace.onDidChangeConfiguration((event) => {
    if (!event.affectsConfiguration('k3.routes')) return;
    const [known, now] = [last, readWritten()];
    last = now;
    const lost = changed.filter((name) => isDeepStrictEqual(now[name], before[name]));
    // If only a part of the change is lost, another window has renamed the same route.
    if (lost.length === 0 || lost.length < changed.length) return;
    const isOther = (name: string) => !changed.includes(name) && !isDeepStrictEqual(now[name], known[name]);
    if (!namesIn(known, now).some(isOther)) return stop();
    // Keeps the order after this change, in which a renamed route has its earlier place.
    const again = namesIn(after, now).map(
      (name) => [name, (lost.includes(name) ? after : now)[name]] as const,
    );
    const routes = Object.fromEntries(again.filter(([, route]) => route !== undefined));
    // No caller waits for this write, so its error is shown here.
    void writeRoutes(routes).catch((error: unknown) => showError(messageOf(error)));
  });
  const timer = setTimeout(stop, WATCH_MS);
  timer.unref();
  stopWatching = stop;
  function stop(): void {
    clearTimeout(timer);
    listening.dispose();
  }
}

const namesIn = (...all: readonly Routes[]): readonly string[] => [...new Set(all.flatMap(Object.keys))];
