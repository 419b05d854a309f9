/** The rows of networks.test.ts about proxies: settings, the way of the request, and what is said of it. */
import { CA, HERE, IN_ADDRESS, LOGIN, NO_STORE, type Row, THROUGH, toBasic } from './network.ts';
import type { ProxyMode } from './networkServers.ts';

const WANTS: ProxyMode = { kind: 'wants', login: toBasic(LOGIN) };
const returns = (status: number): ProxyMode => ({ kind: 'returns', status, text: 'not this one' });
const FORM = /requires a user name and password \| Enter them in http\.proxy, .*USER:PASSWORD/;

/**
 * By group. Neighbours share settings, because writing one takes as long as a request.
 */
export const PROXY_ROWS: Readonly<Record<string, readonly Row[]>> = {
  'The way of a request': [
    {
      what: 'no proxy is set, to a host that only a proxy knows',
      to: 'far',
      way: 'nowhere',
      says: /ENOTFOUND.*k3\.routes\.net\.baseUrl.*requires a proxy, set http\.proxy/,
    },
    {
      what: 'http.proxy without http://',
      to: 'far',
      settings: { 'http.proxy': 'proxy.k3.example:8080' },
      way: 'nowhere',
      says: /ignores http\.proxy because/,
    },
    {
      what: 'http.noProxy, to a host that only the proxy knows',
      to: 'far',
      settings: { ...THROUGH, 'http.noProxy': ['.k3.example'] },
      way: 'nowhere',
      says: /ENOTFOUND.*http\.noProxy/,
    },
    {
      what: 'http.proxySupport off, to a host that only the proxy knows',
      to: 'far',
      settings: { ...THROUGH, 'http.proxySupport': 'off' },
      way: 'nowhere',
      says: /ENOTFOUND.*http\.proxySupport is “off”/,
    },
    {
      what: 'http.proxySupport off',
      to: 'tls',
      settings: { ...THROUGH, 'http.proxySupport': 'off' },
      way: 'direct',
    },
    {
      what: 'http.proxySupport on',
      to: 'tls',
      settings: { ...THROUGH, 'http.proxySupport': 'on' },
      way: 'proxy',
    },
    {
      what: 'http.proxySupport fallback',
      to: 'tls',
      settings: { ...THROUGH, 'http.proxySupport': 'fallback' },
      way: 'proxy',
    },
    { what: 'http.noProxy', to: 'tls', settings: { ...THROUGH, 'http.noProxy': [HERE] }, way: 'direct' },
    { what: 'http.proxy, to a service without TLS', to: 'plain', settings: THROUGH, way: 'proxy' },
    { what: 'http.proxy, to an IP address', to: 'farIp', settings: THROUGH, way: 'proxy' },
    { what: 'http.proxy', to: 'far', settings: THROUGH, way: 'proxy', version: '1.1' },
    { what: 'http.proxy, to [::1]', to: 'v6', settings: THROUGH, way: 'direct' },
    { what: 'no proxy, to [::1]', to: 'v6', way: 'direct' },
  ],
  'A proxy that requires a login': [
    { what: 'no login, without TLS', to: 'plain', settings: THROUGH, proxy: WANTS, way: 'proxy', says: FORM },
    { what: 'no login', to: 'far', settings: THROUGH, proxy: WANTS, way: 'proxy', says: FORM },
    {
      what: 'a login in http.proxyAuthorization',
      to: 'far',
      settings: { ...THROUGH, 'http.proxyAuthorization': toBasic(LOGIN) },
      proxy: WANTS,
      way: 'proxy',
      says: /http\.proxy.*doesn’t use http\.proxyAuthorization for extensions/,
    },
    {
      what: 'a wrong login in http.proxy',
      to: 'far',
      settings: { 'http.proxy': 'LOGIN@PROXY' },
      proxy: { kind: 'wants', login: 'Basic of-another' },
      way: 'proxy',
      says: /didn’t accept the ones in http\.proxy/,
    },
    {
      what: 'a login in http.proxy',
      to: 'far',
      settings: { 'http.proxy': 'LOGIN@PROXY' },
      proxy: WANTS,
      way: 'proxy',
    },
    {
      what: 'a login in http.proxy, without TLS',
      to: 'plain',
      settings: { 'http.proxy': 'LOGIN@PROXY' },
      proxy: WANTS,
      way: 'proxy',
    },
    {
      what: 'no login in network.proxy',
      to: 'far',
      own: { ...CA, proxy: 'PROXY' },
      proxy: WANTS,
      way: 'proxy',
      says: /Enter them in k3\.routes\.net\.network\.proxy/,
    },
    {
      what: 'a login in network.proxy',
      to: 'far',
      own: { ...CA, proxy: 'LOGIN@PROXY' },
      proxy: WANTS,
      way: 'proxy',
    },
  ],
  'A proxy that fails': [
    {
      what: 'that of the route is no address',
      to: 'far',
      own: { proxy: `${IN_ADDRESS}proxy:8080` },
      way: 'nowhere',
      says: /network\.proxy: .*http:\/\//,
    },
    {
      what: 'nothing listens for that of the route',
      to: 'far',
      own: { proxy: `http://${IN_ADDRESS}127.0.0.1:9` },
      way: 'nowhere',
      says: /^Couldn’t reach the proxy \| .*ECONNREFUSED.*k3\.routes\.net\.network\.proxy/,
    },
    {
      what: 'that of the route forbids the service',
      to: 'far',
      own: { proxy: 'PROXY' },
      proxy: returns(403),
      way: 'proxy',
      says: /The proxy returned 403 .*k3\.routes\.net\.network\.proxy/,
    },
    {
      what: 'it forbids the service',
      to: 'far',
      settings: THROUGH,
      proxy: returns(403),
      way: 'proxy',
      says: /^The proxy refused the connection \| The proxy returned 403 .*http\.noProxy/,
    },
    {
      what: 'it closes the connection',
      to: 'far',
      settings: THROUGH,
      proxy: { kind: 'closes' },
      way: 'proxy',
      says: /^Couldn’t reach the proxy \| .*Check http\.proxy/,
    },
    {
      what: 'nothing listens',
      to: 'far',
      settings: { 'http.proxy': `http://${IN_ADDRESS}127.0.0.1:9` },
      way: 'nowhere',
      says: /^Couldn’t reach the proxy \| .*ECONNREFUSED.*Check http\.proxy/,
    },
    { what: 'over TLS', to: 'far', settings: { 'http.proxy': 'SECURE_PROXY' }, way: 'proxy' },
    {
      what: 'over TLS, http.systemCertificates off',
      to: 'far',
      settings: { 'http.proxy': 'SECURE_PROXY', ...NO_STORE },
      way: 'nowhere',
      says: /^The certificate of the proxy is not trusted.*http\.systemCertificates is off/,
    },
  ],
};
