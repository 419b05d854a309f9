/** The route for requests: the active route of the settings, or the demo while it is used. */
import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Now } from '../../conversation/outcomes/pastFailure.ts';
import { toDestination } from '../../conversation/routePlace.ts';
import type { ActiveRoute } from '../../requests/credentials.ts';
import type { Route } from '../../service/types.ts';
import { readSettings, type Settings } from '../settings/settings.ts';

export interface DemoRoute {
  readonly route: Route;
  readonly key: string;
}

export interface Routes extends vscode.Disposable {
  active(settings?: Settings): ActiveRoute | undefined;
  /** A route of the settings; undefined if there is none of that name. */
  named(name: string): ActiveRoute | undefined;
  all(): readonly Route[];
  /** Uses the demo instead of the routes of the settings. Undefined stops using it. */
  useDemo(demo: DemoRoute | undefined): void;
  readonly onDidChange: vscode.Event<void>;
}

/**
 * The current state, by which it is decided whether the cause of a failed turn is gone.
 *
 * @param conversations the open conversations
 */
export function toNow(routes: Pick<Routes, 'active' | 'named'>, conversations: readonly Conversation[]): Now {
  const route = routes.active()?.route;
  return { ...(route && toDestination(route, routes)), routeName: route?.name, conversations };
}

export function createRoutes(): Routes {
  const changed = new vscode.EventEmitter<void>();
  let demo: DemoRoute | undefined;
  const listening = vscode.workspace.onDidChangeConfiguration((event) => {
    // Switching to a route ends the demo.
    if (event.affectsConfiguration('k3.route')) demo = undefined;
    if (event.affectsConfiguration('k3')) changed.fire();
  });
  return {
    active(settings = readSettings()) {
      if (demo !== undefined) return { route: demo.route, demoKey: demo.key };
      const route = settings.routes.find(({ name }) => name === settings.activeRoute) ?? onlyRoute(settings);
      return route === undefined ? undefined : { route, demoKey: undefined };
    },
    named(name) {
      const route = readSettings().routes.find((one) => one.name === name);
      return route && { route, demoKey: undefined };
    },
    all: () => readSettings().routes,
    useDemo(next) {
      demo = next;
      changed.fire();
    },
    onDidChange: changed.event,
    dispose() {
      listening.dispose();
      changed.dispose();
    },
  };
}

/** The only route, when there is one and `k3.route` is empty. */
function onlyRoute(settings: Settings): Route | undefined {
  return settings.activeRoute === '' && settings.routes.length === 1 ? settings.routes[0] : undefined;
}
