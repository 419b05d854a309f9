/**
 * The results of probes of routes. They are kept by address, model, kind, and network settings, so that a renamed route keeps its
 * results, and a route that leads elsewhere, or through another proxy, has none.
 */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { type CheckId, type CheckResult, type RouteProbe, resultOf } from '../../probe/probe.ts';
import { decodeProbe, withResults } from '../../probe/storedProbe.ts';
import type { Route } from '../../service/types.ts';
import { describeWrong } from '../../validation/decode.ts';
import type { Log } from '../base/log.ts';
import { readSettings } from '../settings/settings.ts';
import type { Routes } from './routes.ts';

type Endpoint = Pick<Route, 'root' | 'model' | 'kind' | 'network'>;

/** A feature that a route doesn't support, as a probe has seen. */
export interface Lack {
  readonly routeName: string;
  readonly result: CheckResult;
}

export interface RouteProbes extends vscode.Disposable {
  /** Undefined if this address was not probed with this model and network. */
  of(route: Endpoint): RouteProbe | undefined;
  /** Undefined if the route supports the feature, or isn't known not to. By default, for the active route. */
  lackOf(check: CheckId, route?: Pick<Route, 'name'> & Partial<Endpoint>): Lack | undefined;
  /** Whether a probe has seen that the route supports the feature. By default, for the active route. */
  works(check: CheckId, route?: Endpoint): boolean;
  /** Adds the results of a probe. They are not kept if the route was removed in the meantime. */
  keep(route: Endpoint, probe: RouteProbe): Promise<void>;
  forget(route: Endpoint): Promise<void>;
  /** Fires for changes in this window only. */
  readonly onDidChange: vscode.Event<void>;
}

export interface RouteProbesDeps {
  readonly memory: Pick<vscode.Memento, 'get' | 'update' | 'keys'>;
  readonly routes: Pick<Routes, 'active'>;
  readonly log: Pick<Log, 'warn'>;
}

const PREFIX = 'k3.probe.';
/** One value for each address, so that two windows that probe different routes don't overwrite each other's results. */
const nameOf = ({ root, model, kind, network }: Endpoint) =>
  `${PREFIX}${root} ${model}${kind === 'direct' && network === undefined ? '' : ` ${toWay({ kind, network })}`}`;

/** A hash, because the address of a proxy can contain a password. */
const toWay = (way: unknown) => createHash('sha256').update(JSON.stringify(way)).digest('hex').slice(0, 16);

/** Whether two routes have the same probe results. */
export const shareProbe = (one: Endpoint, other: Endpoint): boolean => nameOf(one) === nameOf(other);

export function createRouteProbes({ memory, routes, log }: RouteProbesDeps): RouteProbes {
  const changed = new vscode.EventEmitter<void>();
  /** Not stored: the demo has a different address in each window. */
  const ofDemo = new Map<string, RouteProbe>();
  /** Decoded probes, by stored value. */
  const decoded = new WeakMap<object, { readonly probe: RouteProbe | undefined }>();

  function stored(name: string): RouteProbe | undefined {
    const value: unknown = memory.get(name);
    if (typeof value !== 'object' || value === null) return undefined;
    const known = decoded.get(value) ?? {
      probe: decodeProbe(value, (wrong) => log.warn(`a stored probe was not read: ${describeWrong(wrong)}`)),
    };
    decoded.set(value, known);
    return known.probe;
  }

  async function forgetOthers(names: ReadonlySet<string>): Promise<void> {
    const left = memory.keys().filter((key) => key.startsWith(PREFIX) && !names.has(key));
    await Promise.all(left.map((key) => memory.update(key, undefined)));
  }

  const of = (route: Endpoint) => ofDemo.get(nameOf(route)) ?? stored(nameOf(route));

  return {
    of,
    lackOf(check, route = routes.active()?.route) {
      const { root, model, kind, network } = route ?? {};
      if (route === undefined || root === undefined || model === undefined || kind === undefined)
        return undefined;
      const result = resultOf(of({ root, model, kind, ...(network && { network }) }), check);
      return result?.verdict === 'no' ? { routeName: route.name, result } : undefined;
    },
    works: (check, route = routes.active()?.route) =>
      route !== undefined && resultOf(of(route), check)?.verdict === 'yes',
    async keep(route, probe) {
      const name = nameOf(route);
      const active = routes.active();
      const all = withResults(of(route), probe);
      const { routes: readable, problems } = readSettings();
      const names = new Set(readable.map(nameOf));
      // While the user edits `k3.routes`, a missing route may be back after the next key.
      const isComplete = names.size > 0 && !problems.some(({ setting }) => setting.startsWith('k3.routes'));
      if (active?.demoKey !== undefined && nameOf(active.route) === name) ofDemo.set(name, all);
      else if (names.has(name) || !isComplete) await memory.update(name, all);
      if (isComplete) await forgetOthers(names);
      changed.fire();
    },
    async forget(route) {
      ofDemo.delete(nameOf(route));
      await memory.update(nameOf(route), undefined);
      changed.fire();
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
