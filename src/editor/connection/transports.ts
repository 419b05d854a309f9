import type * as vscode from 'vscode';
import { nodeTransport } from '../../service/nodeTransport.ts';
import type { Transport } from '../../service/transport.ts';
import type { Route } from '../../service/types.ts';

export interface Transports extends vscode.Disposable {
  /** The transport of a route: with the editor's network settings, or with the route's own. */
  for(route: Route): Promise<Transport>;
}

/** undici is loaded when a route with its own network settings is first used (docs/service.md). */
export function createTransports(): Transports {
  const own = new Map<string, { send: Transport; close(): Promise<void> }>();
  return {
    async for(route) {
      if (route.network === undefined) return nodeTransport;
      const id = JSON.stringify(route.network);
      const known = own.get(id);
      if (known !== undefined) return known.send;
      const { createUndiciTransport } = await import('../../service/undiciTransport.ts');
      const made = createUndiciTransport(route.network);
      own.set(id, made);
      return made.send;
    },
    dispose() {
      // Not awaited: open connections end with the window.
      for (const transport of own.values()) void transport.close();
      own.clear();
    },
  };
}
