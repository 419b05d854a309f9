import { withoutUserInfo } from './address.ts';
import { messageOf } from './errorMessage.ts';
import { ServiceError, type ServiceErrorKind } from './errors.ts';

/** The connection could not be established, to the service or to a proxy. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const CERTIFICATE =
  /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)_|ERR_SSL_.*(CERT|UNKNOWN_CA))/;
/** The TLS handshake failed. Most often, the server at an https address speaks plain HTTP. */
const NO_TLS = /^(EPROTO$|ERR_SSL_|ERR_TLS_)/;

/** A connection that failed before it had passed the proxy. The cause is the error of the connection to the proxy. */
export class ProxyError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ProxyError';
  }
}

/**
 * The server speaks HTTP/2 only. Depending on when its alert arrives, this is the code of the error, or the code is that of a
 * failed write.
 */
export const NO_HTTP1 = 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';
/** An update has replaced the files of this program while it was running. */
export const MISSING_FILE = 'ERR_MODULE_NOT_FOUND';
const NO_COMMON_PROTOCOL = /alert no application protocol/;

/** The editor's agent reports a failed proxy, and undici a refused tunnel, only by these messages. */
const NO_SOCKET_TO_PROXY = /^Failed to establish a socket connection to proxies/;
const REFUSED_TUNNEL = /^Proxy response \((\d{3})\) !== 200/;

/**
 * Converts a network error to a ServiceError: connection refused, unknown host, TLS, a proxy that requires authentication, a lost
 * connection. An abort isn't an error; the caller handles it first.
 *
 * @param reached how far the request got: with a connection, only certificates can still be refused, and after the first byte of
 * a body, any error is a lost connection
 */
export function fromTransportError(error: unknown, reached?: 'connection' | 'body'): ServiceError {
  if (error instanceof ServiceError) return error;
  const message = withoutUserInfo(messageOf(error));
  const systemCode = NO_COMMON_PROTOCOL.test(message) ? NO_HTTP1 : systemCodeOf(error);
  // A file of this program that is imported only when it is needed.
  if (systemCode === MISSING_FILE) return new ServiceError('unknown', { systemCode }, error);
  const found = {
    serviceMessage: message,
    ...(systemCode === undefined ? {} : { systemCode }),
  };
  if (reached === 'body') return new ServiceError('connection-lost', found, error);
  const refused = REFUSED_TUNNEL.exec(message)?.[1];
  if (refused !== undefined)
    return new ServiceError('proxy-refused', { ...found, status: Number(refused), proxy: true }, error);
  if (error instanceof ProxyError || NO_SOCKET_TO_PROXY.test(message)) {
    const untrusted = systemCode !== undefined && CERTIFICATE.test(systemCode);
    return new ServiceError(
      untrusted ? 'untrusted-certificate' : 'unreachable',
      { ...found, proxy: true },
      error,
    );
  }
  return new ServiceError(kindOf(systemCode, message, reached === 'connection'), found, error);
}

/** Whether no connection could be established, as opposed to one that failed later. */
export function isUnreachable(error: unknown): boolean {
  const systemCode = systemCodeOf(error);
  return systemCode !== undefined && UNREACHABLE.has(systemCode);
}

function kindOf(systemCode: string | undefined, message: string, connected: boolean): ServiceErrorKind {
  if (!connected && systemCode !== undefined && UNREACHABLE.has(systemCode)) return 'unreachable';
  if (systemCode !== undefined && CERTIFICATE.test(systemCode)) return 'untrusted-certificate';
  // The agent of a proxy can report the connection before the handshake with the service has ended.
  if (systemCode === NO_HTTP1) return 'unreachable';
  if (!connected && systemCode !== undefined && NO_TLS.test(systemCode)) return 'unreachable';
  // The key is the only header that users enter. It can't be sent if it contains a line break or non-ASCII
  // characters (Q2).
  if (systemCode === 'ERR_INVALID_CHAR' || /invalid authorization header/i.test(message)) return 'bad-key';
  if (/\b407\b|proxy auth|^proxy response \(/i.test(message)) return 'proxy-refused';
  return 'connection-lost';
}

/**
 * The code of the error or of the first of its causes. If several addresses failed, node lists their errors
 * in `errors`.
 */
function systemCodeOf(error: unknown): string | undefined {
  for (let current: unknown = error, depth = 0; depth < 4 && current instanceof Error; depth++) {
    if ('code' in current && typeof current.code === 'string' && current.code !== '') return current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return undefined;
}
