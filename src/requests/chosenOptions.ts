/**
 * The user's choices for an attempt in place of the settings, which also apply to the attempts and parts of the answer that come
 * after it.
 */
import { createHash } from 'node:crypto';
import type { ChosenRequest, ChosenRoute } from '../conversation/requestFacts.ts';
import type { Route } from '../service/types.ts';
import type { AttemptOptions } from './conversationRequest.ts';

type NamedEndpoint = Pick<Route, 'name' | 'kind' | 'root' | 'model'>;

/** A hash of where a route leads. Only a hash is kept with conversations, which can be exported. */
export const toPlaceHash = ({ kind, root, model }: Omit<NamedEndpoint, 'name'>): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, root, model]))
    .digest('hex')
    .slice(0, 16);

/** The options for asking with these choices. */
export function toOptions({ route, effort, leaveOut }: ChosenRequest): AttemptOptions {
  const chosen = { ...(route && { route }), ...(effort && { effort }), ...(leaveOut && { leaveOut }) };
  return {
    ...(route && { routeName: route.name }),
    ...(effort && { effort }),
    ...(Object.keys(chosen).length > 0 && { chosen }),
  };
}

/**
 * The options for asking an attempt again, or continuing it, with the choices that were made for it. Its route is left out if
 * another route has become the active one since then. A route that has another name now is found by where it leads; a route that
 * is gone stays in the options, so that the user is told.
 *
 * @param routes all routes
 * @param active the name of the active route; empty if there is none
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

/** Whether the route that was active at the time of the choice is still the active one, even under another name. */
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
 * Combines current choices with earlier ones that were kept. Current choices take precedence. A preset that is chosen now has an
 * effort of its own, and a route that is chosen now may not refuse what the earlier one did.
 *
 * @param kept the result of `toChosenOptions`
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

/** The same options for the active route. */
export function withoutRoute({ routeName, chosen, ...others }: AttemptOptions): AttemptOptions {
  const { effort } = chosen ?? {};
  return { ...others, ...toOptions(effort === undefined ? {} : { effort }) };
}
