/** Changes the routes in the user's settings. */
import type { RouteNetwork } from '../../service/types.ts';
import { asRecord } from './settingFields.ts';
import { readGlobal, writeGlobal } from './settings.ts';

/** A route as it is written in `k3.routes`. */
export interface RouteSetting {
  readonly kind: string;
  readonly baseUrl: string;
  readonly model?: string;
  readonly network?: RouteNetwork;
}

/** Writes a route to the user's settings. */
export const writeRoute = (name: string, route: RouteSetting): Promise<void> =>
  writeRoutes({ ...asRecord(readGlobal('routes')), [name]: route });

/** Changes fields of a route. Its other fields stay as they are. Returns false if there is none of that name. */
export async function changeRoute(name: string, change: Partial<RouteSetting>): Promise<boolean> {
  const routes = asRecord(readGlobal('routes'));
  if (routes[name] === undefined) return false;
  await writeRoutes({ ...routes, [name]: { ...asRecord(routes[name]), ...change } });
  return true;
}

/** Whether there is a route of that name, also one that can't be used. */
export const hasRoute = (name: string): boolean => routeNames().has(name);

/** The names of all routes, also of those that can't be used. */
export const routeNames = (): ReadonlySet<string> => new Set(Object.keys(asRecord(readGlobal('routes'))));

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

const writeRoutes = (routes: Readonly<Record<string, unknown>>): Promise<void> =>
  writeGlobal('routes', routes);

export const writeActiveRoute = (name: string): Promise<void> => writeGlobal('route', name);
