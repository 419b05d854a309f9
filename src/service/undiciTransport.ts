import { EventEmitter } from 'node:events';
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { untilAborted } from './abort.ts';
import { skipContinue } from './continueResponse.ts';
import { drain } from './drain.ts';
import { MAX_HEADERS_LENGTH } from './limits.ts';
import { joinHeaders } from './responseHeaders.ts';
import { checkProxy, readAuthority } from './routeNetwork.ts';
import type { Transport } from './transport.ts';
import { isUnreachable, ProxyError } from './transportError.ts';
import type { RouteNetwork } from './types.ts';

/** A transport with its own connections, and a function that closes them. */
export interface RouteTransport {
  readonly send: Transport;
  close(): Promise<void>;
}

/** Takes work that nobody waits for, and reports its failure. */
export type InBackground = (work: Promise<unknown>, what: string) => void;

/**
 * Creates the transport of a route that has its own proxy or HTTP/2 (docs/service.md). The watchdog limits the time, so
 * undici's limits are off. Throws an error that names `network.caFile` or `network.proxy` if that can't be used.
 */
export function createUndiciTransport(network: RouteNetwork, inBackground: InBackground): RouteTransport {
  const createDispatcher = toDispatchers(network);
  // A connection serves one request, as in `nodeTransport.ts`. undici has no such setting without
  // `connection: close`, so each request has its own dispatcher.
  const open = new Set<Dispatcher>();
  const send: Transport = async ({ method, url, headers, body, signal, onConnected }) => {
    const { origin, pathname, search } = new URL(url);
    let failure: unknown;
    const dispatcher = createDispatcher((error) => {
      // Closing the dispatcher after a response without a body, such as a 204, isn't a failure. undici itself closes it with this
      // code after a body that ended with the connection.
      if (open.has(dispatcher) && !('code' in error && error.code === 'UND_ERR_INFO')) failure = error;
    });
    open.add(dispatcher);
    const close = () => {
      open.delete(dispatcher);
      inBackground(dispatcher.destroy(), 'closing a connection');
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
      const joined = joinHeaders(response.headers);
      return {
        status: response.statusCode,
        headers: joined,
        body: drain(response.body, () => (hasLength(joined) ? undefined : failure)),
      };
    } catch (error) {
      close();
      // With a proxy, the only connection is the one to the proxy.
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

/** undici, too, considers a body without a length complete when its connection ends, however it ends. */
const hasLength = (headers: Readonly<Record<string, string>>): boolean =>
  'content-length' in headers || 'transfer-encoding' in headers;

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

/** Called with the error of a connection. */
type OnFailure = (error: Error) => void;

/** Reads the certificate file immediately, so that a route with an unusable file fails before its first request. */
function toDispatchers(network: RouteNetwork): (onFailure: OnFailure) => Dispatcher {
  const noLimits = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: MAX_HEADERS_LENGTH };
  const authority = network.caFile === undefined ? {} : { ca: readAuthority(network.caFile) };
  const tls = { ...authority, timeout: 0 };
  const allowH2 = network.http2 ?? false;
  const shared = (onFailure: OnFailure) => ({
    ...noLimits,
    allowH2,
    factory: (origin: string | URL, options: object) => createPool(origin, options, onFailure),
  });
  const { proxy } = network;
  if (proxy === undefined || !hasProxy(network)) {
    const connect = buildConnector({ ...tls, allowH2 });
    return (onFailure) => new Agent({ ...shared(onFailure), connect });
  }
  const uri = checkProxy(proxy);
  return (onFailure) =>
    new ProxyAgent({
      ...shared(onFailure),
      uri,
      requestTls: { ...tls, allowH2 },
      proxyTls: tls,
      clientFactory: createProxyPool,
    });
}

/**
 * Creates the connections to an origin. Each is destroyed when it reports an error: after a damaged TLS record, Node leaves it
 * open, and undici waits for its end.
 */
function createPool(origin: string | URL, options: object, onFailure: OnFailure): Dispatcher {
  const { connect, ...others } = options as { readonly connect: buildConnector.connector };
  return new Pool(origin, {
    ...others,
    connect: (wanted, callback) =>
      connect(wanted, (...made) => {
        const [, socket] = made;
        const isH2 = socket && 'alpnProtocol' in socket && socket.alpnProtocol === 'h2';
        socket?.on('error', (error) => {
          // HTTP/2 streams report their own end.
          if (!isH2) onFailure(error);
          socket.destroy();
        });
        if (socket && !isH2) skipContinue(socket);
        callback(...made);
        if (socket) finishAfterGoaway(socket);
      }),
  });
}

/**
 * Lets the service finish the running request after it has announced the end of its connection (GOAWAY; RFC 9113, 6.8). undici
 * would drop the connection. Without undici's listener, Node closes the session when its streams have ended, ends a stream that
 * won't be answered, and reports an error code. undici doesn't document where it keeps its session: if none is found, the
 * announcement interrupts the answer.
 */
function finishAfterGoaway(socket: object): void {
  for (const key of Object.getOwnPropertySymbols(socket)) {
    if (key.description !== 'http2Session') continue;
    const session: unknown = Reflect.get(socket, key);
    if (session instanceof EventEmitter) session.removeAllListeners('goaway');
  }
}

/**
 * Creates the connections to a proxy. If one is closed before the proxy has answered, its error code makes undici connect again,
 * immediately and endlessly. With another code, the request fails.
 */
function createProxyPool(origin: URL, options: object): Dispatcher {
  const pool = new Pool(origin, options);
  const connect = pool.connect.bind(pool) as (wanted: Dispatcher.ConnectOptions) => Promise<unknown>;
  return Object.assign(pool, {
    async connect(wanted: Dispatcher.ConnectOptions) {
      try {
        return await connect(wanted);
      } catch (cause) {
        const closed = cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_SOCKET';
        throw closed ? Object.assign(new Error(cause.message, { cause }), { code: 'ECONNRESET' }) : cause;
      }
    },
  }) as Dispatcher;
}
