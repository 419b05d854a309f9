/** The connection to the service: routes, keys, transports, turns, Check Connection, and the demo. */
import * as vscode from 'vscode';
import { refuses } from '../../probe/probe.ts';
import { createTurns, type Turns } from '../../requests/turns.ts';
import { inBackground } from '../base/background.ts';
import type { Base } from '../base/base.ts';
import { readSettings } from '../settings/settings.ts';
import type { Storage } from '../storage/storage.ts';
import { confirmSpending } from './dailyCapDialog.ts';
import { registerDemo } from './demo.ts';
import { createDroppedImages, type DroppedImages } from './droppedImages.ts';
import { confirmEnvironmentKey } from './environmentKeyDialog.ts';
import { createKeys, type Keys } from './keys.ts';
import { registerProbeRoute } from './probeRoute.ts';
import { registerRouteCommands } from './routeCommands.ts';
import { createRouteProbes, type RouteProbes } from './routeProbes.ts';
import { createRoutes, type Routes } from './routes.ts';
import { createTransports, type InspectProxySetting, onUsersMachine } from './transports.ts';

export interface ConnectionDeps {
  readonly base: Pick<Base, 'log' | 'reports' | 'walkthrough'>;
  readonly storage: Pick<Storage, 'store' | 'globalState'>;
  readonly context: Pick<vscode.ExtensionContext, 'secrets' | 'extension'>;
}

export interface Connection extends vscode.Disposable {
  readonly routes: Routes;
  readonly keys: Keys;
  readonly probes: RouteProbes;
  readonly droppedImages: DroppedImages;
  readonly turns: Turns;
  /** The cost of a turn that is part of no conversation was recorded. */
  readonly onDidSpend: vscode.Event<void>;
}

export function registerConnection({ base, storage, context }: ConnectionDeps): Connection {
  const { log, reports, walkthrough } = base;
  const { store, globalState } = storage;
  const routes = createRoutes();
  const keys = createKeys(context.secrets, globalState, process.env, confirmEnvironmentKey);
  const inspect: InspectProxySetting = (name) => vscode.workspace.getConfiguration('http').inspect(name);
  const isOfUser = context.extension.extensionKind === vscode.ExtensionKind.UI;
  const transports = createTransports(isOfUser ? onUsersMachine(inspect) : inspect, (work, what) =>
    inBackground(log, work, what),
  );
  const probes = createRouteProbes({ memory: globalState, routes, log });
  const droppedImages = createDroppedImages(probes);
  const spent = new vscode.EventEmitter<void>();
  const turns = createTurns({
    settings: readSettings,
    routes,
    keys,
    transports,
    spentToday: () => store.costSince(midnight()),
    estimatedToday: () => store.estimatedSince(midnight()),
    confirm: confirmSpending,
    putSpend(...about) {
      store.putSpend(...about);
      spent.fire();
    },
    beginSpend: store.beginSpend,
    mayDropImages: droppedImages.toSend,
    refuses: (part, route) => refuses(probes.of(route), part),
    effortWorks: (route) => probes.works('effort', route),
    memory: {
      get: (name) => globalState.get(name),
      set: (name, value) =>
        inBackground(log, globalState.update(name, value), 'saving what was learned about tokens'),
    },
    log,
  });
  const registered = vscode.Disposable.from(
    registerRouteCommands({ routes, keys, transports, turns, walkthrough, probes, reports, log }),
    registerProbeRoute({ routes, turns, probes, reports }),
    registerDemo({ routes }),
    transports,
    probes,
    routes,
    spent,
  );
  const onDidSpend = spent.event;
  return { routes, keys, probes, droppedImages, turns, onDidSpend, dispose: () => registered.dispose() };
}

/** The start of this day, in epoch milliseconds. */
const midnight = () => new Date().setHours(0, 0, 0, 0);
