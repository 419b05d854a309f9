/** Changes the routes in the user's settings. */
import * as vscode from 'vscode';
import type { RouteNetwork } from '../../service/types.ts';
import { asRecord } from './settingFields.ts';
import { readGlobal } from './settings.ts';

/** A route as it is written in `k3.routes`. */
export interface RouteSetting {
  readonly kind: string;
  readonly baseUrl: string;
  readonly model?: string;
  readonly network?: RouteNetwork;
}

/** Writes a route to the user's settings. With `activate`, it becomes the active route. */
export async function writeRoute(name: string, route: RouteSetting, activate: boolean): Promise<void> {
  await writeRoutes({ ...asRecord(readGlobal('routes')), [name]: route });
  if (activate) await writeActiveRoute(name);
}

/** Changes fields of an existing route. Its other fields stay as they are. */
export async function changeRoute(name: string, change: Partial<RouteSetting>): Promise<void> {
  const routes = asRecord(readGlobal('routes'));
  if (routes[name] === undefined) return;
  await writeRoutes({ ...routes, [name]: { ...asRecord(routes[name]), ...change } });
}

/** Whether there is a route of that name, also one that can't be used. */
export const hasRoute = (name: string): boolean => Object.hasOwn(asRecord(readGlobal('routes')), name);

/** Gives a route another name, which no other route has. It stays the active one if it is. */
export async function renameRoute(from: string, to: string): Promise<'renamed' | 'gone' | 'taken'> {
  const routes = asRecord(readGlobal('routes'));
  if (!Object.hasOwn(routes, from)) return 'gone';
  if (Object.hasOwn(routes, to)) return 'taken';
  // The order of the routes stays.
  const renamed = Object.entries(routes).map(([name, route]) => [name === from ? to : name, route]);
  await writeRoutes(Object.fromEntries(renamed));
  if (readGlobal('route') === from) await writeActiveRoute(to);
  return 'renamed';
}

export async function removeRoute(name: string): Promise<void> {
  const { [name]: removed, ...others } = asRecord(readGlobal('routes'));
  if (removed === undefined) return;
  await writeRoutes(others);
  if (readGlobal('route') === name) await writeActiveRoute('');
}

async function writeRoutes(routes: Readonly<Record<string, unknown>>): Promise<void> {
  await vscode.workspace.getConfiguration('k3').update('routes', routes, vscode.ConfigurationTarget.Global);
}

export async function writeActiveRoute(name: string): Promise<void> {
  await vscode.workspace.getConfiguration('k3').update('route', name, vscode.ConfigurationTarget.Global);
}
