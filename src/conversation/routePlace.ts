/** Finds the route that a turn came from. A route can be renamed, its name can be given to another one, and a turn can be imported. */
import { createHash } from 'node:crypto';
import type { Route } from '../service/types.ts';
import type { RequestFacts } from './requestFacts.ts';

/** Where a request is sent. */
export interface Destination extends Pick<Route, 'name' | 'kind'> {
  /** A hash of the route's address. Undefined if the address isn't known. */
  readonly place?: string | undefined;
  readonly model?: string | undefined;
  /** Whether the settings have a route with a name. If not, a turn with that name may come from this route before it was renamed. */
  hasRoute?(name: string): boolean;
}

/** Only a hash of the address is kept with conversations, which can be exported. */
export const toRoutePlace = ({ root }: Pick<Route, 'root'>): string =>
  createHash('sha256').update(root).digest('hex').slice(0, 16);

/** @param routes the routes of the settings */
export const toDestination = (
  { name, kind, root, model }: Pick<Route, 'name' | 'kind'> & Partial<Pick<Route, 'root' | 'model'>>,
  routes?: { named(name: string): unknown },
): Destination => ({
  ...{ name, kind, model },
  place: root === undefined ? undefined : toRoutePlace({ root }),
  ...(routes && { hasRoute: (other) => routes.named(other) !== undefined }),
});

/**
 * Whether a turn came from the route to which a request is sent, whatever the name of the route is now. For turns of earlier
 * versions and of the demo, only the name is known.
 */
export const isFromRoute = (
  { routeName, routePlace }: Pick<RequestFacts, 'routeName' | 'routePlace'>,
  { name, place }: Pick<Destination, 'name' | 'place'>,
): boolean => (routePlace === undefined || place === undefined ? routeName === name : routePlace === place);

/**
 * The route of the settings that a turn came from, whatever its name is now. Undefined if the route is gone, or could be one of
 * several. The name of the turn's route may belong to another route by now.
 */
export function routeOf<Known extends Pick<Route, 'name' | 'root' | 'model'>>(
  { routeName, routePlace, model }: Pick<RequestFacts, 'routeName' | 'routePlace' | 'model'>,
  routes: readonly Known[],
): Known | undefined {
  const isThere = (route: Known) => routePlace === undefined || toRoutePlace(route) === routePlace;
  const named = routes.find(({ name }) => name === routeName);
  if (named !== undefined && isThere(named)) return named;
  const same = routes.filter((one) => isThere(one) && one.model === model);
  if (same.length === 1 && routePlace !== undefined) return same[0];
  return named?.model === model ? named : undefined;
}
