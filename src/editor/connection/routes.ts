/** Which route requests take: the active one of the settings, or the demo while it runs. */
import * as vscode from 'vscode';
import type { Route } from '../../service/types.ts';
import type { ActiveRoute } from '../../turns/credentials.ts';
import { readSettings, type Settings } from '../base/settings.ts';

export interface DemoRoute {
  readonly route: Route;
  readonly key: string;
}

export interface Routes extends vscode.Disposable {
  active(settings?: Settings): ActiveRoute | undefined;
  /** Puts the demo in front of the settings' routes, or takes it away. */
  useDemo(demo: DemoRoute | undefined): void;
  readonly onDidChange: vscode.Event<void>;
}

export function createRoutes(): Routes {
  const changed = new vscode.EventEmitter<void>();
  let demo: DemoRoute | undefined;
  const listening = vscode.workspace.onDidChangeConfiguration((event) => {
    // Whoever chooses a route wants that one, and no longer the demo.
    if (event.affectsConfiguration('k3.route')) demo = undefined;
    if (event.affectsConfiguration('k3')) changed.fire();
  });
  return {
    active(settings = readSettings()) {
      if (demo !== undefined) return { route: demo.route, demoKey: demo.key };
      const route = settings.routes.find(({ name }) => name === settings.activeRoute) ?? onlyRoute(settings);
      return route === undefined ? undefined : { route, demoKey: undefined };
    },
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

/** With a single route and none chosen there is nothing to choose. */
function onlyRoute(settings: Settings): Route | undefined {
  return settings.activeRoute === '' && settings.routes.length === 1 ? settings.routes[0] : undefined;
}
