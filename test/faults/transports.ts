/** The transports of the product, each with the addresses that it is used for. */
import https from 'node:https';
import { nodeTransport } from '../../src/service/nodeTransport.ts';
import type { Transport } from '../../src/service/transport.ts';
import type { RouteNetwork } from '../../src/service/types.ts';
import { createUndiciTransport } from '../../src/service/undiciTransport.ts';
import { inBackground } from '../support/inBackground.ts';
import type { Authority } from '../unit/service/authority.ts';
import type { TransportName } from './fault.ts';

export interface UsedTransport {
  readonly send: Transport;
  readonly scheme: 'http' | 'https';
  close(): Promise<void>;
}

/** The editor adds the certificates of the system to this agent. Returns a function that removes this one again. */
export function trust({ cert }: Authority): () => void {
  const { options } = https.globalAgent;
  const { ca } = options;
  options.ca = cert;
  return () => {
    // The options of an agent replace those of a request, also one that is undefined.
    if (ca === undefined) delete options.ca;
    else options.ca = ca;
  };
}

export function transportOf(
  name: TransportName,
  { certFile }: Authority,
  network: RouteNetwork = {},
): UsedTransport {
  if (name === 'node' || name === 'node-tls')
    return { send: nodeTransport, scheme: name === 'node' ? 'http' : 'https', close: async () => undefined };
  const scheme = name === 'undici' ? 'http' : 'https';
  const { send, close } = createUndiciTransport(
    {
      proxy: 'none',
      caFile: certFile,
      http2: name === 'undici-h2',
      ...network,
    },
    inBackground,
  );
  return { send, scheme, close };
}
