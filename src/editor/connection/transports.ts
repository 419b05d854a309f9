import type * as vscode from 'vscode';
import { isLoopbackAddress } from '../../service/address.ts';
import { asArray } from '../../service/json.ts';
import { createNodeTransport, nodeTransport } from '../../service/nodeTransport.ts';
import { checkProxy, readAuthority } from '../../service/routeNetwork.ts';
import type { Transport } from '../../service/transport.ts';
import type { Route, RouteNetwork } from '../../service/types.ts';
import type { InBackground, RouteTransport } from '../../service/undiciTransport.ts';
import { importLater } from '../base/atFirstUse.ts';

export interface Transports extends vscode.Disposable {
  /** The transport of a route: with the editor's network settings, or with those of the route. */
  for(route: Route): Promise<Transport>;
}

/**
 * Creates the transport for a route with network settings of its own. If these only name a certificate authority, `node:https` is used,
 * so that the editor's proxy settings apply. undici, which doesn't know the editor's settings, is used for a proxy of the route and for
 * HTTP/2.
 */
async function create(network: RouteNetwork, inBackground: InBackground): Promise<RouteTransport> {
  if (network.proxy === undefined && network.http2 !== true)
    return { send: createNodeTransport(network), close: async () => undefined };
  const { createUndiciTransport } = await importLater(() => import('../../service/undiciTransport.ts'));
  return createUndiciTransport(network, inBackground);
}

/** The settings that make the editor send requests through a proxy. */
type ProxySetting = 'proxy' | 'proxySupport' | 'noProxy';

/** The values of a setting of `http`, as the editor reports them. */
export type InspectProxySetting = (name: ProxySetting) =>
  | {
      readonly globalValue?: unknown;
      readonly globalLocalValue?: unknown;
      readonly globalRemoteValue?: unknown;
      readonly workspaceValue?: unknown;
    }
  | undefined;

/**
 * The values for code that runs on the machine of the user: in a remote window, the global value has the settings of the remote machine,
 * which a container gets from the workspace. The editor itself doesn't use these there.
 */
export const onUsersMachine =
  (inspect: InspectProxySetting): InspectProxySetting =>
  (name) => {
    const found = inspect(name);
    return found?.globalRemoteValue === undefined ? found : { ...found, globalValue: found.globalLocalValue };
  };

/**
 * Makes a route ignore a proxy that is set by a workspace. Normally, a workspace can't set one. But in older versions of VS Code, a
 * remote window accepts a proxy from a workspace if it is nested in another setting (docs/security.md, Addresses and keys). The route
 * then uses the user's own proxy, or none, without the editor's agent.
 */
function withUsersProxy({ network, origin }: Route, inspect: InspectProxySetting): RouteNetwork | undefined {
  // The route has a proxy of its own, or the editor uses no proxy for it.
  if (network?.proxy !== undefined || network?.http2 === true || isLoopbackAddress(origin)) return network;
  const ofWorkspace = (['proxy', 'proxySupport', 'noProxy'] as const).some(
    (name) => inspect(name)?.workspaceValue !== undefined,
  );
  if (!ofWorkspace) return network;
  const proxy = inspect('proxySupport')?.globalValue === 'off' ? undefined : inspect('proxy')?.globalValue;
  const isUsed =
    typeof proxy === 'string' && proxy.trim() !== '' && !isExcluded(origin, inspect('noProxy')?.globalValue);
  return { ...network, proxy: isUsed ? checkProxy(proxy.trim(), 'http.proxy') : 'none' };
}

/** Whether `http.noProxy` contains the host of an origin, or a domain of it, each with or without a port. Parsed as the editor does. */
function isExcluded(origin: string, noProxy: unknown): boolean {
  const { hostname, port, protocol } = new URL(origin);
  const ports = [undefined, port || (protocol === 'https:' ? '443' : '80')];
  return (asArray(noProxy) ?? []).some((entry) => {
    const [name = '', only] = typeof entry === 'string' ? entry.trim().toLowerCase().split(':') : [];
    const isInside = name !== '' && `.${hostname}`.endsWith(`.${name.replace(/^\./, '')}`);
    return name === '*' ? only === undefined : isInside && ports.includes(only);
  });
}

/** undici is loaded when a route that needs it is first used (docs/service.md). */
export function createTransports(inspect: InspectProxySetting, inBackground: InBackground): Transports {
  const own = new Map<string, Promise<RouteTransport>>();
  return {
    async for(route) {
      const network = withUsersProxy(route, inspect);
      if (network === undefined) return nodeTransport;
      // The certificate file may have changed.
      const authority = network.caFile === undefined ? '' : readAuthority(network.caFile);
      const id = JSON.stringify([network, authority]);
      // Two first requests at once share it, so that each one that is made is closed.
      const made = own.get(id) ?? create(network, inBackground);
      own.set(id, made);
      return made.then(
        ({ send }) => send,
        (error: unknown) => {
          own.delete(id);
          throw error;
        },
      );
    },
    dispose() {
      // Not awaited: open connections end with the window.
      for (const made of own.values())
        inBackground(
          made.then((transport) => transport.close()),
          'closing connections',
        );
      own.clear();
    },
  };
}
