import { VERSION_PREFIX } from './limits.ts';
import type { Route } from './types.ts';

export type ParsedAddress =
  | { readonly ok: true; readonly root: string; readonly origin: string }
  | { readonly ok: false; readonly problem: AddressProblem };

export type AddressProblem = 'empty' | 'not-an-address' | 'scheme' | 'user-info' | 'query';

/**
 * Parses a base address as users paste it: with or without the version prefix, a trailing slash, or the path
 * of an endpoint (Q1). The result's `root` always ends in the version prefix, exactly once.
 *
 * User info is refused because two parsers can disagree about the host behind it (docs/security.md).
 */
export function parseBaseAddress(text: string): ParsedAddress {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, problem: 'empty' };
  const url = URL.parse(trimmed);
  if (url === null) return { ok: false, problem: 'not-an-address' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, problem: 'scheme' };
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'user-info' };
  if (url.search !== '' || url.hash !== '') return { ok: false, problem: 'query' };
  const path = withoutSlashes(
    withoutSlashes(url.pathname).replace(/\/((chat\/)?completions|responses|models)$/, ''),
  );
  const root = path.endsWith(VERSION_PREFIX) ? path : `${path}${VERSION_PREFIX}`;
  return { ok: true, root: `${url.origin}${root}`, origin: url.origin };
}

/**
 * Matches a host that is entered without a scheme, such as `example.com/v1` or `localhost:8080`, but not an API key that is
 * pasted by mistake.
 */
const BARE_HOST =
  /^(localhost|\[[\da-f:]+\]|\d+(\.\d+){3}|([\p{L}\p{N}-]+\.)+\p{L}{2,}|[\p{L}\p{N}-]+(?=:\d))(:\d+)?(\/|$)/iu;

/** Parses a base address that a user enters. If the scheme is missing, it is `http://` for this computer, otherwise `https://`. */
export function parseEnteredAddress(text: string): ParsedAddress {
  const entered = text.trim();
  if (!BARE_HOST.test(entered)) return parseBaseAddress(entered);
  const scheme = isLoopbackAddress(`http://${entered}`) ? 'http' : 'https';
  return parseBaseAddress(`${scheme}://${entered}`);
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** Whether a key that is sent to this address can be intercepted: plain HTTP to another computer. */
export function isUnencrypted(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === 'http:' && !isLoopback(url.hostname);
}

/** Whether an address leads to this computer, also if the editor uses a proxy. */
export function isLoopbackAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && isLoopback(url.hostname);
}

/**
 * The hosts for which the editor never uses a proxy (docs/network.md). Other addresses of this computer, such as `127.0.0.2`, can be
 * sent to a proxy, and names such as `a.localhost` may be looked up in DNS.
 */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const isLoopback = (hostname: string): boolean => LOOPBACK_HOSTS.has(hostname);

/**
 * The environment variable that is used when no key is stored, so that containers and headless computers
 * work.
 */
export function environmentVariableFor(route: Route): string {
  return route.kind === 'direct' ? 'K3_API_KEY' : 'K3_GATEWAY_API_KEY';
}

/**
 * Removes user names and passwords from the addresses in a text, for reports, errors, and the log. Addresses of proxies can have
 * them, also in the form of PAC files and older versions of VS Code: `PROXY user:password@host:port`.
 */
export function withoutUserInfo(text: string): string {
  return text
    .replace(/(\/\/|\\\\)[^\s/\\?#"'<>]*@/g, '$1…@')
    .replace(/\b(PROXY|HTTPS?|SOCKS[45]?) [^\s;]*@/g, '$1 …@');
}

/**
 * Removes user name, password, query, and fragment from a text that should be an address. The text may also be an invalid
 * address, whose scheme can be missing and whose password can have any characters. The query is removed because some people put
 * their API key there.
 */
export function withoutCredentials(address: string): string {
  const at = address.lastIndexOf('@');
  const place = address.slice(at + 1).replace(/([?#]).*$/s, '$1…');
  if (at === -1) return place;
  const scheme = /^\s*[a-z][a-z\d+.-]*:\/+/i.exec(address.slice(0, at))?.[0] ?? '';
  return `${scheme}…@${place}`;
}
