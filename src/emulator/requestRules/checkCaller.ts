/** Which clients may use the emulator: programs on this machine, but no web pages. */
import type { IncomingHttpHeaders } from 'node:http';
import type { RouteKind } from '../../service/types.ts';
import { type ErrorReply, refuseKey, toErrorReply } from '../refusal.ts';

const LOOPBACK_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/** Web pages send an `Origin`; a page that uses DNS rebinding sends another `Host` (docs/security.md, The emulator). */
export function checkCaller(headers: IncomingHttpHeaders, route: RouteKind): ErrorReply | undefined {
  if (headers.origin !== undefined) {
    return toErrorReply(
      route,
      403,
      'permission_denied_error',
      'The emulator does not answer web pages (Origin header).',
    );
  }
  if (!LOOPBACK_HOST.test(headers.host ?? '')) {
    return toErrorReply(
      route,
      403,
      'permission_denied_error',
      'The emulator answers to a loopback Host header only.',
    );
  }
  return undefined;
}

/** Q2: exactly `Bearer KEY`; the scheme is case-insensitive. */
export function checkKey(header: string | undefined, key: string, route: RouteKind): ErrorReply | undefined {
  const sent = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
  return sent === key ? undefined : refuseKey(route);
}
