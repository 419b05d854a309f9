/** The rows of networks.test.ts about certificates and HTTP/2: settings, the way of the request, and what is said of it. */
import { dirname, join } from 'node:path';
import { CA, NO_STORE, type Row, THROUGH } from './network.ts';
import { AUTHORITY_FILE } from './networkServers.ts';

/**
 * By group. The service `unseen` is reached last with trust, because a session that is resumed is not checked again. Neighbours share settings, because writing one takes as long as a request.
 */
export const TLS_ROWS: Readonly<Record<string, readonly Row[]>> = {
  'A private certificate authority': [
    {
      what: 'network.caFile, http.systemCertificates off, http.proxy',
      to: 'far',
      settings: { ...NO_STORE, ...THROUGH },
      own: CA,
      way: 'proxy',
    },
    {
      what: 'http.systemCertificates off, http.proxy',
      to: 'unseen',
      settings: { ...NO_STORE, ...THROUGH },
      way: 'proxy',
      says: /not trusted.*http\.systemCertificates is off/,
    },
    {
      what: 'http.systemCertificates off',
      to: 'unseen',
      settings: NO_STORE,
      way: 'nowhere',
      says: /not trusted.*http\.systemCertificates is off.*k3\.routes\.net\.network\.caFile/,
    },
    {
      what: 'http.systemCertificates and http.proxyStrictSSL off',
      to: 'unseen',
      settings: { ...NO_STORE, 'http.proxyStrictSSL': false },
      way: 'nowhere',
      says: /http\.systemCertificates is off.*doesn’t use http\.proxyStrictSSL for extensions/,
    },
    {
      what: 'network.caFile, http.systemCertificates off',
      to: 'unseen',
      settings: NO_STORE,
      own: CA,
      way: 'direct',
    },
    {
      what: 'network.caFile of another authority',
      to: 'unseen',
      own: { caFile: join(dirname(AUTHORITY_FILE), 'service.pem') },
      way: 'nowhere',
      says: /only the authorities in k3\.routes\.net\.network\.caFile/,
    },
    { what: 'http.systemCertificates on', to: 'unseen', way: 'direct' },
    {
      what: 'http.systemCertificates on, http.proxySupport off',
      to: 'unseen',
      settings: { 'http.proxySupport': 'off' },
      way: 'direct',
    },
    {
      what: 'network.caFile that is not there',
      to: 'tls',
      own: { caFile: '/no/such.pem' },
      way: 'nowhere',
      says: /network\.caFile: \/no\/such\.pem/,
    },
    {
      what: 'network.proxy none, http.proxy',
      to: 'tls',
      settings: THROUGH,
      own: { ...CA, proxy: 'none' },
      way: 'direct',
    },
    {
      what: 'network.proxy without network.caFile',
      to: 'far',
      own: { proxy: 'PROXY' },
      way: 'proxy',
      says: /http\.systemCertificates doesn’t apply.*Set k3\.routes\.net\.network\.caFile/,
    },
  ],
  'HTTP/2': [
    {
      what: 'network.http2, to a host that only http.proxy knows',
      to: 'far',
      settings: THROUGH,
      own: { ...CA, http2: true },
      way: 'nowhere',
      says: /neither http\.proxy nor .*k3\.routes\.net\.network\.proxy/,
    },
    {
      what: 'HTTP/2 only, http.proxy',
      to: 'h2',
      settings: THROUGH,
      way: 'proxy',
      says: /supports only HTTP\/2\. Set k3\.routes\.net\.network\.http2/,
    },
    {
      what: 'HTTP/2 only',
      to: 'h2',
      way: 'nowhere',
      says: /supports only HTTP\/2\. Set k3\.routes\.net\.network\.http2/,
    },
    {
      what: 'HTTP/2 only, network.http2',
      to: 'h2',
      own: { ...CA, http2: true },
      way: 'direct',
      version: '2.0',
    },
    {
      what: 'HTTP/2 only, network.http2 and network.proxy',
      to: 'h2',
      own: { ...CA, http2: true, proxy: 'PROXY' },
      way: 'proxy',
      version: '2.0',
    },
    {
      what: 'network.proxy, to an IP address',
      to: 'farIp',
      own: { ...CA, proxy: 'PROXY' },
      way: 'proxy',
      version: '1.1',
    },
    {
      what: 'both versions, network.http2',
      to: 'both',
      own: { ...CA, http2: true },
      way: 'direct',
      version: '2.0',
    },
    { what: 'both versions', to: 'both', way: 'direct', version: '1.1' },
    { what: 'both versions, http.proxy', to: 'both', settings: THROUGH, way: 'proxy', version: '1.1' },
  ],
};
