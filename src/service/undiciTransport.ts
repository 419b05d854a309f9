import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { untilAborted } from './abort.ts';
import { drain } from './drain.ts';
import { checkProxy, readAuthority } from './routeNetwork.ts';
import type { Transport } from './transport.ts';
import { isUnreachable, ProxyError } from './transportError.ts';
import type { RouteNetwork } from './types.ts';

/** A transport with its own connections, and a function that closes them. */
export interface RouteTransport {
  readonly send: Transport;
  close(): Promise<void>;
}

/**
 * Creates the transport of a route that has its own proxy or HTTP/2 (docs/service.md). The watchdog limits the time, so
 * undici's limits are off. Throws an error that names `network.caFile` or `network.proxy` if that can't be used.
 */
export function createUndiciTransport(network: RouteNetwork): RouteTransport {
  const createDispatcher = toDispatchers(network);
  // A connection serves one request, as in `nodeTransport.ts`. undici has no such setting without
  // `connection: close`, so each request has its own dispatcher.
  const open = new Set<Dispatcher>();
  const send: Transport = async ({ method, url, headers, body, signal, onConnected }) => {
    const { origin, pathname, search } = new URL(url);
    const dispatcher = createDispatcher();
    open.add(dispatcher);
    const close = () => {
      open.delete(dispatcher);
      void dispatcher.destroy();
    };
    try {
      const response = await unlessAborted(
        withConnectedCallback(dispatcher, onConnected).request({
          origin,
          path: `${pathname}${search}`,
          method,
          headers,
          body: body ?? null,
          signal,
          responseHeaders: null,
          opaque: null,
        }),
        signal,
      );
      response.body.on('close', close);
      return {
        status: response.statusCode,
        headers: joinHeaders(response.headers),
        body: drain(response.body),
      };
    } catch (error) {
      close();
      // With a proxy, no other connection is made than to the proxy.
      if (hasProxy(network) && isUnreachable(error))
        throw new ProxyError('no connection to the proxy', error);
      throw error;
    }
  };
  return {
    send,
    close: async () => void (await Promise.all([...open].map((dispatcher) => dispatcher.destroy()))),
  };
}

/**
 * The response, or a rejection as soon as the signal aborts. Without this, undici doesn't abort a request
 * before its connection is established or has failed.
 */
async function unlessAborted(
  pending: Promise<Dispatcher.ResponseData>,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  try {
    return await untilAborted(pending, signal);
  } catch (error) {
    // Nobody reads a response that arrives after the abort. Close its connection.
    const close = ({ body }: Dispatcher.ResponseData) => body.on('error', () => undefined).destroy();
    pending.then(close, () => undefined);
    throw error;
  }
}

/**
 * The dispatcher, extended to call `onConnected` when a request is sent on its connection. Without it, the
 * wait for the headers, which can take minutes, would count as connecting.
 */
function withConnectedCallback(dispatcher: Dispatcher, onConnected: (() => void) | undefined): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart(controller, context) {
          onConnected?.();
          handler.onRequestStart?.(controller, context);
        },
        onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
        onResponseStart: (...start) => handler.onResponseStart?.(...start),
        onResponseData: (...data) => handler.onResponseData?.(...data),
        onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
        onResponseError: (...error) => handler.onResponseError?.(...error),
      }),
  );
}

const hasProxy = ({ proxy }: RouteNetwork) => proxy !== undefined && proxy !== 'none';

/** Reads the certificate file at once, so that a route with a wrong one fails before its first request. */
function toDispatchers(network: RouteNetwork): () => Dispatcher {
  const noLimits = { headersTimeout: 0, bodyTimeout: 0 };
  const authority = network.caFile === undefined ? {} : { ca: readAuthority(network.caFile) };
  const connect = { ...authority, timeout: 0 };
  const shared = { ...noLimits, allowH2: network.http2 ?? false };
  const { proxy } = network;
  if (proxy === undefined || !hasProxy(network)) return () => new Agent({ ...shared, connect });
  const uri = checkProxy(proxy);
  return () =>
    new ProxyAgent({
      ...shared,
      uri,
      requestTls: { ...connect, allowH2: shared.allowH2 },
      proxyTls: connect,
    });
}

function joinHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}
