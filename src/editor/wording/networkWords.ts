/** Messages for connections that fail because of network settings. They name the setting, of the editor or of the route. */
import * as vscode from 'vscode';
import { isLoopbackAddress } from '../../service/address.ts';
import type { Failure } from '../../service/errors.ts';
import { NO_HTTP1 } from '../../service/transportError.ts';
import type { Route, RouteNetwork } from '../../service/types.ts';
import { type EditorNetwork, readEditorNetwork } from '../base/editorNetwork.ts';
import { joinSentences } from '../base/sentences.ts';
import { readSettings } from '../settings/settings.ts';

const t = vscode.l10n.t;

type Description = { readonly title: string; readonly body: readonly string[] };

/** The current network settings, on which the next step depends. */
interface Network {
  readonly name: string;
  /** Undefined if the route is no longer in the settings. */
  readonly route: Route | undefined;
  readonly own: RouteNetwork;
  readonly editor: EditorNetwork;
}

export function describeNetworkFailure(
  failure: Failure & { readonly kind: 'unreachable' | 'untrusted-certificate' | 'proxy-refused' },
  name: string,
): Description {
  const route = readSettings().routes.find((one) => one.name === name);
  const network = { name, route, own: route?.network ?? {}, editor: readEditorNetwork() };
  switch (failure.kind) {
    case 'proxy-refused':
      return describeProxyRefusal(failure, network);
    case 'untrusted-certificate':
      return {
        title: failure.details.proxy
          ? t('The certificate of the proxy is not trusted')
          : t('The certificate is not trusted'),
        body: [...certificateLines(failure, network), ...strictSslLine(network)],
      };
    case 'unreachable':
      return failure.details.proxy ? describeNoProxy(failure, network) : describeNoService(failure, network);
  }
}

/** Whether a route has its own proxy or HTTP/2. Its requests don't use the editor's network functions (docs/service.md). */
const hasOwnConnection = ({ proxy, http2 }: RouteNetwork) => proxy !== undefined || http2 === true;
const hasOwnProxy = ({ proxy }: RouteNetwork) => proxy !== undefined && proxy !== 'none';

function describeProxyRefusal({ details }: Failure, { name, own, editor }: Network): Description {
  const setting = hasOwnProxy(own) ? t('k3.routes.{0}.network.proxy', name) : 'http.proxy';
  if (details.status !== undefined && details.status !== 407)
    return {
      title: t('The proxy refused the connection'),
      body: [
        t(
          'The proxy returned {0} for the address of route “{1}”. Ask its administrator to allow that address.',
          details.status,
          name,
        ),
        hasOwnProxy(own)
          ? t('If the address can be reached without the proxy, set {0} to “none”.', setting)
          : t('If the address can be reached without the proxy, add its host to http.noProxy.'),
      ],
    };
  const proxy = hasOwnProxy(own) ? (own.proxy ?? '') : editor.proxy;
  return {
    title: t('The proxy requires a user name and password'),
    body: [
      proxy.includes('@')
        ? t('The proxy didn’t accept the ones in {0}. Correct them there.', setting)
        : t('Enter them in {0}, in the form http://USER:PASSWORD@HOST:PORT.', setting),
      ...(editor.hasProxyAuthorization
        ? [t('The editor doesn’t use http.proxyAuthorization for extensions.')]
        : []),
    ],
  };
}

function describeNoProxy({ details }: Failure, { name, own, editor }: Network): Description {
  const what = t(
    'Connecting to the proxy failed ({0}).',
    details.systemCode ?? t('it closed the connection'),
  );
  const next = () => {
    if (hasOwnProxy(own)) return t('Check k3.routes.{0}.network.proxy.', name);
    if (editor.proxy !== '') return t('Check http.proxy.');
    return t(
      'http.proxy is not set, so the proxy is that of the operating system or of the environment variables HTTPS_PROXY and HTTP_PROXY. Correct it there, or set http.proxy.',
    );
  };
  return { title: t('Couldn’t reach the proxy'), body: [joinSentences([what, next()])] };
}

function describeNoService({ details }: Failure, network: Network): Description {
  const { name, own } = network;
  const title = t('Couldn’t reach the service');
  if (details.systemCode === NO_HTTP1)
    return {
      title,
      body: [
        t('The server supports only HTTP/2. Set k3.routes.{0}.network.http2 to true.', name),
        ...(own.proxy === undefined ? [ownConnectionLine(name)] : []),
      ],
    };
  return {
    title,
    body: [
      t(
        'Connecting failed ({0}). Check k3.routes.{1}.baseUrl and the network.',
        details.systemCode ?? '?',
        name,
      ),
      ...proxyLine(network),
    ],
  };
}

const ownConnectionLine = (name: string) =>
  t(
    'With network.http2, the route uses neither http.proxy nor http.systemCertificates. If it needs them, set k3.routes.{0}.network.proxy and k3.routes.{0}.network.caFile.',
    name,
  );

/** The proxy that the request should have used, and the setting that decides it. */
function proxyLine({ name, route, own, editor }: Network): readonly string[] {
  if (route !== undefined && isLoopbackAddress(route.root)) return [];
  if (own.proxy === 'none') return [t('No proxy is used: k3.routes.{0}.network.proxy is “none”.', name)];
  if (hasOwnProxy(own)) return [t('The proxy is k3.routes.{0}.network.proxy.', name)];
  if (own.http2 === true) return [ownConnectionLine(name)];
  if (editor.proxySupport === 'off') return [t('No proxy is used: http.proxySupport is “off”.')];
  if (editor.proxy === '') return [t('If this network requires a proxy, set http.proxy.')];
  if (!/^(https?|socks[45]?[ah]?):\/\//i.test(editor.proxy))
    return [t('The editor ignores http.proxy because it doesn’t begin with http:// or https://.')];
  if (editor.noProxy.length > 0)
    return [t('http.proxy is not used for the hosts in http.noProxy. Check both.')];
  return [t('Check http.proxy.')];
}

function certificateLines({ details }: Failure, { name, own, editor }: Network): readonly string[] {
  const code = details.systemCode ?? 'TLS';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return details.proxy
      ? [t('{0}: the certificate is for another host than the address of the proxy.', code)]
      : [t('{0}: the certificate is for another host. Check k3.routes.{1}.baseUrl.', code, name)];
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return [
      t('{0}: check the clock of this machine. If it is right, the server needs a new certificate.', code),
    ];
  if (own.caFile !== undefined && (!details.proxy || hasOwnConnection(own)))
    return [
      t(
        '{0}: for this route, only the authorities in k3.routes.{1}.network.caFile are trusted. Check that file.',
        code,
        name,
      ),
    ];
  if (hasOwnConnection(own))
    return [
      t(
        '{0}: http.systemCertificates doesn’t apply to a route with its own proxy or HTTP/2. Set k3.routes.{1}.network.caFile to the file of your certificate authority.',
        code,
        name,
      ),
    ];
  const first = editor.systemCertificates
    ? t(
        '{0}: if you use your own certificate authority, add it to the certificates of the operating system, which http.systemCertificates makes the editor trust, and restart the editor.',
        code,
      )
    : t(
        '{0}: http.systemCertificates is off, so the certificate authorities of the operating system are not trusted. Turn it on.',
        code,
      );
  return details.proxy
    ? [first]
    : [first, t('Or set k3.routes.{0}.network.caFile to the file of your certificate authority.', name)];
}

function strictSslLine({ editor }: Network): readonly string[] {
  return editor.strictSsl ? [] : [t('The editor doesn’t use http.proxyStrictSSL for extensions.')];
}
