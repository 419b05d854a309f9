import { type Client, createClient } from '../../../src/service/client.ts';
import { nodeTransport } from '../../../src/service/nodeTransport.ts';

/** The client for a service on this computer. */
export function clientOf(service: { readonly url: string }, key: string): Client {
  const route = {
    name: 'r',
    kind: 'direct',
    root: `${service.url}/v1`,
    origin: service.url,
    model: 'svc-k3',
  } as const;
  return createClient({ transport: nodeTransport, route, key });
}
