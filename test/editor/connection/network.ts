/** A network as a company has it, the settings that lead through it, and what is said of a request that it stops. */
import { appendFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Turn } from '../../../src/conversation/turn.ts';
import { describeFailure } from '../../../src/editor/wording/failureWords.ts';
import { describeRefusal } from '../../../src/editor/wording/refusalWords.ts';
import type { Route } from '../../../src/service/types.ts';
import { watchModals } from '../modals.ts';
import { ended, type Scripted, setForUser, startScripted, streamOf } from '../scripted.ts';
import {
  AUTHORITY_FILE,
  type ProxyMode,
  type ProxyServer,
  type Service,
  startProxy,
  startService,
} from './networkServers.ts';

/** An address of this computer that is not the loopback address for which the editor never uses a proxy. */
export const HERE = '127.0.0.2';
/** Only the proxy knows this host. */
export const FAR = 'svc.k3.example';
/** Only the proxy knows this host. It is an IP address, and its certificate has it. */
const FAR_IP = '[2001:db8::1]';
export const LOGIN = 'me:pa@ss word';
export const IN_ADDRESS = 'me:pa%40ss%20word@';
export const toBasic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
/** As `startScripted` has it in the environment. */
export const KEY = 'key-of-a-test';

export type Settings = Readonly<Record<string, unknown>>;

export interface Row {
  readonly what: string;
  readonly to: Target;
  /** The settings of the editor. `PROXY`, `SECURE_PROXY` and `LOGIN@PROXY` stand for addresses. */
  readonly settings?: Settings;
  /** The network settings of the route, with the same names. */
  readonly own?: Settings;
  readonly proxy?: ProxyMode;
  readonly way: 'proxy' | 'direct' | 'nowhere';
  /** What the card says, or nothing if the answer is complete. */
  readonly says?: RegExp;
  /** The version of HTTP that the service has seen. */
  readonly version?: string;
}

export const THROUGH: Settings = { 'http.proxy': 'PROXY' };
export const CA: Settings = { caFile: AUTHORITY_FILE };
export const NO_STORE: Settings = { 'http.systemCertificates': false };

const NOTHING_SET: Settings = {
  'http.proxy': undefined,
  'http.proxySupport': undefined,
  'http.noProxy': undefined,
  'http.proxyAuthorization': undefined,
  'http.proxyStrictSSL': undefined,
  'http.systemCertificates': undefined,
};

export interface Asked {
  /** Undefined if nothing was sent. */
  readonly turn: Turn | undefined;
  /** The title and text of the card, or of the message that nothing was sent. */
  readonly said: string;
}

type ServiceName = 'tls' | 'unseen' | 'plain' | 'h2' | 'both' | 'v6';
/** A service of this computer, or one that only the proxy knows, by its name or its IP address. */
export type Target = ServiceName | 'far' | 'farIp';

export interface Network {
  readonly scripted: Scripted;
  readonly proxy: ProxyServer;
  /** A proxy that is spoken to over TLS. */
  readonly secureProxy: ProxyServer;
  readonly services: Readonly<Record<ServiceName, Service>>;
  /** Sets these settings of the editor, and no others. */
  use(settings: Settings): Promise<void>;
  /** Leads the route “net” to a service, with these network settings of its own. */
  route(to: Target, own?: object): Promise<void>;
  /** Adds a route for each of these, and returns their names: changing one takes longer than asking on another one. */
  addRoutes(all: readonly { readonly to: Target; readonly own?: object }[]): Promise<readonly string[]>;
  ask(question: string, routeName: string): Promise<Asked>;
  /** Forgets what the proxies and services have seen. */
  forget(): void;
  /** How the last request went: `proxy`, `direct`, or `nowhere`. */
  way(): string;
  close(): Promise<void>;
}

const answer = (response: Parameters<Service['respond']>[0]) =>
  void streamOf([{ answer: 'Yes.', finish: 'stop' }])(response, '');

function set(setting: string, value: unknown): Promise<void> {
  const [section = '', ...name] = setting.split('.');
  return setForUser(section, name.join('.'), value);
}

/**
 * Why these tests can't run on this computer, or undefined. They need certificates in the place of the system's without
 * changing the computer, and a second loopback address.
 */
export function reasonToSkip(): string | undefined {
  if (process.platform !== 'linux') return 'only on Linux can the tests bring their own system certificates';
  if (vscode.workspace.getConfiguration('http').get('systemCertificatesNode') !== true)
    return 'this version of the editor reads the system certificates from a fixed file';
  return undefined;
}

export function print(line: string): void {
  const output = process.env['K3_TEST_OUTPUT'];
  if (output) appendFileSync(output, `${line}\n`);
}

export async function startNetwork(): Promise<Network> {
  const scripted = await startScripted();
  const services = {
    tls: await startService('https', answer),
    // No client has a session with it yet. A resumed session is not checked again.
    unseen: await startService('https', answer),
    plain: await startService('http', answer),
    h2: await startService('h2 only', answer),
    both: await startService('h2 and http/1.1', answer),
    v6: await startService('https', answer, '::'),
  };
  const all = Object.values(services);
  const portOf = (host: string, port: number) => (host === FAR || host === FAR_IP ? services.tls.port : port);
  const proxy = await startProxy(portOf);
  const secureProxy = await startProxy(portOf, true);
  const { conversations } = scripted;
  const addressOf = (to: Target) => {
    if (to === 'far' || to === 'farIp') return `https://${to === 'far' ? FAR : FAR_IP}`;
    const host = to === 'v6' ? '[::1]' : HERE;
    return `${to === 'plain' ? 'http' : 'https'}://${host}:${services[to].port}`;
  };
  const forget = () => {
    for (const { asked, received } of [proxy, secureProxy]) asked.length = received.length = 0;
    for (const { seen } of all) seen.length = 0;
  };
  const use = async (settings: Settings) => {
    for (const [name, value] of Object.entries({ ...NOTHING_SET, ...settings })) await set(name, value);
  };
  const toRoute = (to: Target, own?: object) => ({
    kind: 'direct',
    baseUrl: addressOf(to),
    ...(own && { network: own }),
  });
  const route = (to: Target, own?: object) => set('k3.routes', { net: toRoute(to, own) });
  /** The routes that have a saved key. */
  let plain: readonly Route[] = [];
  // The key of the environment is sent to other computers only with consent.
  const asking = watchModals();
  asking.answer = 'Send Key';
  await set('k3.route', 'net');
  return {
    scripted,
    proxy,
    secureProxy,
    services,
    use,
    forget,
    route,
    async addRoutes(all) {
      const routes = all.map(({ to, own }, index) => [`net-${index + 1}`, toRoute(to, own)] as const);
      await set('k3.routes', { net: toRoute('tls'), ...Object.fromEntries(routes) });
      // The key of the environment isn't sent there at all, because it isn't encrypted.
      plain = all.flatMap(({ to }, index) => {
        const named = to === 'plain' ? scripted.routes.named(routes[index]?.[0] ?? '') : undefined;
        return named === undefined ? [] : [named.route];
      });
      for (const one of plain) await scripted.keys.save(one, KEY);
      return routes.map(([name]) => name);
    },
    async ask(text, routeName) {
      forget();
      const { id } = conversations.create();
      const question = { text, images: [], origin: undefined };
      const asked = await conversations.ask(id, question, { routeName });
      if (!asked.ok) return { turn: undefined, said: describeRefusal(asked.refusal) };
      const turn = await ended(conversations, asked.turnId);
      if (turn.failure === undefined) return { turn, said: '' };
      const { title, body } = describeFailure(turn.failure, turn.request);
      return { turn, said: [title, ...body].join(' | ') };
    },
    way() {
      if (proxy.asked.length + secureProxy.asked.length > 0) return 'proxy';
      return all.some(({ seen }) => seen.length > 0) ? 'direct' : 'nowhere';
    },
    async close() {
      asking.restore();
      for (const one of plain) await scripted.keys.clear(one);
      for (const to of ['far', 'farIp'] as const) {
        await route(to);
        await vscode.commands.executeCommand('k3.clearKey');
      }
      await use({});
      await Promise.all([proxy, secureProxy, ...all].map((server) => server.close()));
      await scripted.close();
    },
  };
}
