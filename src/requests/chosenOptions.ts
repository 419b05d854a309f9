/** What the user chose for an attempt in place of the settings, for the attempts and parts of the answer that come after it. */
import { createHash } from 'node:crypto';
import type { ChosenRequest, ChosenRoute } from '../conversation/requestFacts.ts';
import type { Route } from '../service/types.ts';
import type { AttemptOptions } from './conversationRequest.ts';

type NamedEndpoint = Pick<Route, 'name' | 'kind' | 'root' | 'model'>;

/** Where a route leads. Only a hash is kept with conversations, which can be exported. */
export const toPlaceHash = ({ kind, root, model }: Omit<NamedEndpoint, 'name'>): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, root, model]))
    .digest('hex')
    .slice(0, 16);

/** The options to ask with what was chosen. */
export function toOptions({ route, effort, leaveOut }: ChosenRequest): AttemptOptions {
  const chosen = { ...(route && { route }), ...(effort && { effort }), ...(leaveOut && { leaveOut }) };
  return {
    ...(route && { routeName: route.name }),
    ...(effort && { effort }),
    ...(Object.keys(chosen).length > 0 && { chosen }),
  };
}

/**
 * The options to ask an attempt again, or to continue it, with what was chosen for it. Its route is left out when another
 * route became the active one since. One that has another name now is found by where it leads; one that is gone stays, so that
 * the user is told.
 *
 * @param routes all routes
 * @param active the name of the active one; empty if there is none
 */
export function toChosenOptions(
  chosen: ChosenRequest | undefined,
  routes: readonly NamedEndpoint[],
  active: string,
): AttemptOptions {
  const { route, ...others } = chosen ?? {};
  const kept = route && isStillActive(route, routes, active) ? withNameOf(route, routes) : undefined;
  return toOptions({ ...others, ...(kept && { route: kept }) });
}

/** Whether the route that was active then is the active one, also under another name. */
function isStillActive(
  { insteadOf, insteadOfPlace }: ChosenRoute,
  routes: readonly NamedEndpoint[],
  active: string,
): boolean {
  if (insteadOf === active) return true;
  const now = routes.find(({ name }) => name === active);
  const isGone = routes.every(({ name }) => name !== insteadOf);
  return isGone && now !== undefined && toPlaceHash(now) === insteadOfPlace;
}

function withNameOf(route: ChosenRoute, routes: readonly NamedEndpoint[]) {
  if (routes.some(({ name }) => name === route.name)) return route;
  const [same, ...others] = routes.filter((one) => toPlaceHash(one) === route.place);
  return same === undefined || others.length > 0 ? route : { ...route, name: same.name };
}

/**
 * What is chosen now comes before what was kept. A preset has an effort of its own, and another route may refuse nothing.
 *
 * @param kept as `toChosenOptions` returns it
 */
export function withKept(kept: AttemptOptions, now: AttemptOptions): AttemptOptions {
  const { route, effort, leaveOut } = kept.chosen ?? {};
  const before = {
    ...(route && { route }),
    ...(effort && now.preset === undefined && { effort }),
    ...(leaveOut && now.chosen?.route === undefined && { leaveOut }),
  };
  return { ...now, ...toOptions({ ...before, ...now.chosen }) };
}

/** The same on the active route. */
export function withoutRoute({ routeName, chosen, ...others }: AttemptOptions): AttemptOptions {
  const { effort } = chosen ?? {};
  return { ...others, ...toOptions(effort === undefined ? {} : { effort }) };
}
