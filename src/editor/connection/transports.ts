import type * as vscode from 'vscode';
import { createNodeTransport, nodeTransport } from '../../service/nodeTransport.ts';
import type { Transport } from '../../service/transport.ts';
import type { Route, RouteNetwork } from '../../service/types.ts';
import type { RouteTransport } from '../../service/undiciTransport.ts';

export interface Transports extends vscode.Disposable {
  /** The transport of a route: with the editor's network settings, or with the route's own. */
  for(route: Route): Promise<Transport>;
}

/**
 * A route that only has its own certificate authority goes the way of the editor's proxy settings. undici knows nothing of
 * them, and serves a route with its own proxy or HTTP/2.
 */
async function create(network: RouteNetwork): Promise<RouteTransport> {
  if (network.proxy === undefined && network.http2 !== true)
    return { send: createNodeTransport(network), close: async () => undefined };
  const { createUndiciTransport } = await import('../../service/undiciTransport.ts');
  return createUndiciTransport(network);
}

/** undici is loaded when a route with its own network settings is first used (docs/service.md). */
export function createTransports(): Transports {
  const own = new Map<string, RouteTransport>();
  return {
    async for(route) {
      if (route.network === undefined) return nodeTransport;
      const id = JSON.stringify(route.network);
      const known = own.get(id);
      if (known !== undefined) return known.send;
      const made = await create(route.network);
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
