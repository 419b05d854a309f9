/** Checks the network settings of a route when they are first used, so that an error names the setting. */
import { readFileSync } from 'node:fs';
import { withoutCredentials } from './address.ts';

/** The text of the certificate file of a route. Throws an error that names `network.caFile`. */
export function readAuthority(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`network.caFile: ${file} cannot be read`, { cause });
  }
  // OpenSSL accepts a file without a certificate. Then it trusts no server, and doesn't say why.
  if (!text.includes('-----BEGIN CERTIFICATE-----') && !text.includes('-----BEGIN TRUSTED CERTIFICATE-----'))
    throw new Error(`network.caFile: ${file} has no certificate in PEM format`);
  return text;
}

/** Returns the address of a proxy if it is valid. Throws an error that names the setting otherwise. */
export function checkProxy(proxy: string, setting = 'network.proxy'): string {
  const url = URL.parse(proxy);
  if (url === null || !PROXY_SCHEMES.has(url.protocol) || url.hostname === '')
    throw new Error(
      `${setting}: ${withoutCredentials(proxy)} is not an address that begins with http://, https://, or socks5://`,
    );
  return proxy;
}

const PROXY_SCHEMES = new Set(['http:', 'https:', 'socks:', 'socks5:']);
