/** The active route and its API key. */
import { untilAborted } from '../service/abort.ts';
import type { Prices } from '../service/prices.ts';
import type { Route } from '../service/types.ts';
import { type KeyAbsence, type Refusal, type Refused, refuse } from './refusal.ts';
import type { TurnSettings } from './turnSettings.ts';

export interface ActiveRoute {
  readonly route: Route;
  /** Set for the demo, whose service and key are part of the extension. */
  readonly demoKey: string | undefined;
}

export type FoundKey = (
  | { readonly found: true; readonly key: string; readonly source: 'stored' | 'environment' }
  | { readonly found: false; readonly why: KeyAbsence }
) & {
  /** This is about a key of the environment, although a key was saved: the secret storage no longer has that one. */
  readonly replacesSaved?: true;
};

export interface AccessDeps {
  readonly routes: {
    active(): ActiveRoute | undefined;
    /** A route of the settings; undefined if there is none with that name. */
    named(name: string): ActiveRoute | undefined;
    /** All routes of the settings. If missing, routes that other windows have renamed aren't recognized. */
    all?(): readonly Route[];
  };
  readonly keys: {
    find(route: Route): Promise<FoundKey>;
    /** Asks the user whether the environment's key may be sent to this route, when that is not known. */
    confirm?(route: Route): Promise<boolean>;
    /** Returns a function that returns the route with the name that the user gives it from now on. If missing, the name stays. */
    follow?(route: Route): () => Route;
    /** Called when a request is sent with this key. */
    used?(route: Route, found: FoundKey): void;
  };
}

export interface Access {
  readonly ok: true;
  readonly active: ActiveRoute;
  readonly key: string;
  readonly keySource: 'stored' | 'environment' | 'demo';
}

/**
 * Finds a route and its key, or the reason why there is none.
 *
 * @param routeName by default, the active route
 * @param signal set if a request is to be sent. Then the user may be asked about the key. Rejects if the signal aborts.
 */
export async function findAccess(
  { routes, keys }: AccessDeps,
  settings: Pick<TurnSettings, 'problems'>,
  signal?: AbortSignal,
  routeName?: string,
): Promise<Access | Refused> {
  const active = routeName === undefined ? routes.active() : routes.named(routeName);
  if (active === undefined) return refuseRoute(routes, settings.problems, routeName);
  const wrong = settings.problems.find(({ setting }) => !setting.startsWith('k3.route'));
  if (wrong !== undefined) return refuse({ kind: 'setting', problem: wrong });
  const { route, demoKey } = active;
  if (demoKey !== undefined) return { ok: true, active, key: demoKey, keySource: 'demo' };
  const known = await keys.find(route);
  const confirmed =
    signal !== undefined && !known.found && known.why === 'unconfirmed' && keys.confirm !== undefined
      ? await untilAborted(keys.confirm(route), signal)
      : false;
  const found = confirmed ? await keys.find(route) : known;
  if (!found.found) return refuse({ kind: 'no-key', route, why: found.why });
  if (signal !== undefined) keys.used?.(route, found);
  return { ok: true, active, key: found.key, keySource: found.source };
}

/**
 * Creates a function that reads the key for each request of a turn that begins with this access. It returns undefined if there is
 * no key anymore. A key of the environment doesn't replace a stored one, because it can be that of another account.
 */
export function createKeyReader(
  { routes, keys }: AccessDeps,
  { active, key, keySource }: Access,
): () => Promise<string | undefined> {
  const routeNow = keys.follow?.(active.route) ?? (() => active.route);
  const names = () => routes.all?.().map(({ name }) => name) ?? [];
  const before = new Set(names());
  let last = key;

  /** Whether another window has renamed the route: the same key is stored for the same address under a new name. */
  async function isRenamed(): Promise<boolean> {
    const now = names();
    if (keySource !== 'stored' || now.includes(routeNow().name)) return false;
    const all = now.filter((name) => !before.has(name)).map((name) => keys.find({ ...active.route, name }));
    return (await Promise.all(all)).some((one) => one.found && one.source === 'stored' && one.key === last);
  }

  return async () => {
    if (active.demoKey !== undefined) return active.demoKey;
    const found = await keys.find(routeNow());
    if (!found.found || (found.source !== 'stored' && found.source !== keySource))
      return (await isRenamed()) ? last : undefined;
    last = found.key;
    return last;
  };
}

/** Why there is no route with that name, or no active route. */
function refuseRoute(
  routes: AccessDeps['routes'],
  problems: TurnSettings['problems'],
  routeName: string | undefined,
): Refused {
  if (routeName === undefined) return refuse(whyNoRoute(problems));
  const problem = problemOf(problems, `k3.routes.${routeName}.`);
  if (problem !== undefined) return refuse({ kind: 'setting', problem });
  return refuse({ kind: 'no-such-route', routeName, active: routes.active()?.route.name });
}

/** Why there is no active route: there is none at all, or a setting of routes is wrong. */
export function whyNoRoute(problems: TurnSettings['problems']): Refusal {
  const unknown = problems.find(({ setting }) => setting === 'k3.route');
  const about = unknown === undefined ? 'k3.route' : `k3.routes.${unknown.value}.`;
  const problem = problemOf(problems, about) ?? unknown;
  return problem === undefined ? { kind: 'no-route' } : { kind: 'setting', problem };
}

const problemOf = (problems: TurnSettings['problems'], about: string) =>
  problems.find(({ setting }) => setting.startsWith(about) || setting === 'k3.routes');

const FREE: Prices = { input: 0, cachedInput: 0, output: 0 };

/** Prices of the tokens of a route; 0 for the demo. */
export function pricesOf({ demoKey }: ActiveRoute, prices: Prices): Prices {
  return demoKey === undefined ? prices : FREE;
}
