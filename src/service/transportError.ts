import { withoutUserInfo } from './address.ts';
import { ServiceError, type ServiceErrorKind } from './errors.ts';

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

/**
 * Converts a network error to a ServiceError: connection refused, unknown host, TLS, a proxy that requires
 * authentication, a lost connection. An abort isn't an error; the caller handles it first.
 *
 * @param reached how far the request came: with a connection, only certificates can still be refused, and after the
 * first byte of a body, any error is a lost connection
 */
export function fromTransportError(error: unknown, reached?: 'connection' | 'body'): ServiceError {
  if (error instanceof ServiceError) return error;
  const systemCode = systemCodeOf(error);
  const message = withoutUserInfo(error instanceof Error ? error.message : String(error));
  return new ServiceError(
    reached === 'body' ? 'connection-lost' : kindOf(systemCode, message, reached === 'connection'),
    { serviceMessage: message, ...(systemCode === undefined ? {} : { systemCode }) },
    error,
  );
}

function kindOf(systemCode: string | undefined, message: string, connected: boolean): ServiceErrorKind {
  if (!connected && systemCode !== undefined && UNREACHABLE.has(systemCode)) return 'unreachable';
  if (systemCode !== undefined && CERTIFICATE.test(systemCode)) return 'untrusted-certificate';
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
