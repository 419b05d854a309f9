/**
 * Host names under `.k3.test`, and the editor's agents, which are between the client and the network. The name says what
 * happens: `late-100.k3.test` is found after 100 ms, `never.k3.test` not at all, `enotfound.k3.test` fails with that code;
 * for `pac-100.k3.test` and `pac-never.k3.test`, the agent has a socket after 100 ms or never, as the editor's has while
 * it looks for the proxy.
 */
import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';

const OWN = /^([a-z]+)(?:-(\w+))?\.k3\.test$/;

type LookupCallback = (error: NodeJS.ErrnoException | null, address?: unknown, family?: number) => void;

/** Sets up the names for this process. */
export function setUpNames(): void {
  const lookup = dns.lookup as unknown as (...args: unknown[]) => void;
  const found = (options: unknown, callback: LookupCallback) =>
    typeof options === 'object' && options !== null && 'all' in options && options.all
      ? callback(null, [{ address: '127.0.0.1', family: 4 }])
      : callback(null, '127.0.0.1', 4);
  const ours = (host: string, options: unknown, callback: LookupCallback): void => {
    const [, kind, ms] = OWN.exec(host) ?? [];
    if (kind === undefined) lookup(host, options, callback);
    else if (kind === 'late') setTimeout(() => found(options, callback), Number(ms));
    else if (kind === 'pac') setImmediate(() => found(options, callback));
    else if (kind !== 'never') {
      const code = kind === 'eai' ? 'EAI_AGAIN' : kind.toUpperCase();
      const error = Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code, syscall: 'getaddrinfo' });
      setImmediate(() => callback(error));
    }
  };
  Object.assign(dns, { lookup: ours });
  http.request = withEditorAgent(http.request, http.Agent) as typeof http.request;
  https.request = withEditorAgent(https.request, https.Agent) as typeof https.request;
}

/** `request` as the editor replaces it: its agent provides a socket when the proxy is known. */
function withEditorAgent(request: typeof http.request, Agent: typeof http.Agent) {
  return (
    target: URL,
    options: http.RequestOptions,
    onResponse: (incoming: http.IncomingMessage) => void,
  ) => {
    const [, kind, ms] = OWN.exec(target.hostname) ?? [];
    if (kind !== 'pac') return request(target, options, onResponse);
    const agent = new Agent({
      ...(Agent === http.Agent ? {} : https.globalAgent.options),
      keepAlive: true,
    });
    const add = Reflect.get(agent, 'addRequest').bind(agent) as (...args: unknown[]) => void;
    const addLate = (...args: unknown[]) => {
      if (ms !== 'never') setTimeout(() => add(...args), Number(ms));
    };
    return request(target, { ...options, agent: Object.assign(agent, { addRequest: addLate }) }, onResponse);
  };
}
