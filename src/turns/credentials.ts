/** The active route and its API key. */
import type { Prices } from '../service/limits.ts';
import type { Route } from '../service/types.ts';
import { type KeyAbsence, type Refused, refuse } from './refusal.ts';
import type { TurnSettings } from './settings.ts';

export interface ActiveRoute {
  readonly route: Route;
  /** Set for the demo, whose service and key are part of the extension. */
  readonly demoKey: string | undefined;
}

export type FoundKey =
  | { readonly found: true; readonly key: string; readonly source: 'stored' | 'environment' }
  | { readonly found: false; readonly why: KeyAbsence };

export interface AccessDeps {
  readonly routes: { active(): ActiveRoute | undefined };
  readonly keys: { find(route: Route): Promise<FoundKey> };
}

export interface Access {
  readonly ok: true;
  readonly active: ActiveRoute;
  readonly key: string;
  readonly keySource: 'stored' | 'environment' | 'demo';
}

/** The active route and its key, or the reason why there is none. */
export async function findAccess(
  { routes, keys }: AccessDeps,
  settings: Pick<TurnSettings, 'problems'>,
): Promise<Access | Refused> {
  const active = routes.active();
  if (active === undefined) {
    const problem = settings.problems.find(({ setting }) => setting.startsWith('k3.route'));
    return refuse(problem === undefined ? { kind: 'no-route' } : { kind: 'setting', problem });
  }
  const wrong = settings.problems.find(({ setting }) => !setting.startsWith('k3.route'));
  if (wrong !== undefined) return refuse({ kind: 'setting', problem: wrong });
  const { route, demoKey } = active;
  if (demoKey !== undefined) return { ok: true, active, key: demoKey, keySource: 'demo' };
  const found = await keys.find(route);
  if (!found.found) return refuse({ kind: 'no-key', route, why: found.why });
  return { ok: true, active, key: found.key, keySource: found.source };
}

const FREE: Prices = { input: 0, cachedInput: 0, output: 0 };

/** Prices of the tokens of a route; 0 for the demo. */
export function pricesOf({ demoKey }: ActiveRoute, prices: Prices): Prices {
  return demoKey === undefined ? prices : FREE;
}
