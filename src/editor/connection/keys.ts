import type * as vscode from 'vscode';
import type { FoundKey } from '../../requests/credentials.ts';
import { environmentVariableFor, isLoopbackAddress, isUnencrypted } from '../../service/address.ts';
import { isSendable, parseKey } from '../../service/apiKey.ts';
import { asObject, asString, parseJson } from '../../service/json.ts';
import type { Route } from '../../service/types.ts';

export interface Keys {
  /** Fires when a key was saved or cleared, in any window. */
  readonly onDidChange: vscode.Event<unknown>;
  /**
   * Reads the key from the secret storage or the environment, without a cache and without asking the user. Doesn't reject: if the
   * storage fails, the result says so as the reason why there is no key.
   */
  find(route: Route): Promise<FoundKey>;
  /**
   * Asks the user whether the environment's key may be sent to the address of a route, and remembers it if so. Requests
   * that need it at the same time share the question.
   */
  confirm(route: Route): Promise<boolean>;
  /** Call this when a request is sent with a key that `find` has found. */
  used(route: Route, found: FoundKey): void;
  /**
   * Calls the listener when the first request is sent with the environment's key because the saved key is lost. Called once for each
   * route, and not if the user was asked whether the environment's key may be sent.
   */
  onDidReplace(listener: (route: Route) => void): vscode.Disposable;
  /** Rejects when the secret storage refuses the key. Nothing is kept then. */
  save(route: Route, key: string): Promise<void>;
  /**
   * Removes the stored key, and forgets that the environment's key may be sent to the address. Rejects when the secret storage doesn't
   * remove the key. The key then stays in use.
   */
  clear(route: Route): Promise<void>;
  /**
   * Copies the stored key of a route, if there is one, and what is known about it to another route, whatever address the key is for.
   * Rejects when the secret storage fails.
   *
   * @returns a function that restores the previous state of the other route, unless its key was changed since
   */
  copy(from: Route, to: Route): Promise<() => Promise<void>>;
  /** Whether the secret storage has a value for a route. Rejects when it fails. */
  isStored(route: Route): Promise<boolean>;
  /** Removes the stored key of a route that is removed or renamed. Rejects when the secret storage doesn't remove it. */
  remove(route: Route): Promise<void>;
  /** Call this when a route was renamed, and its key is stored under the new name. */
  moved(from: Route, to: Route): void;
  /**
   * Returns a function that returns the route under its current name: it follows each rename in this window ({@link moved}) from now
   * on.
   */
  follow(route: Route): () => Route;
}

interface StoredKey {
  readonly origin: string;
  readonly key: string;
}

const secretName = (route: Route) => `k3.key.${route.name}`;
const savedFlag = (route: Route) => `k3.keySaved.${route.name}`;
/** The origins that the key of an environment variable may be sent to. */
const allowedOrigins = (route: Route) => `k3.environmentKey.${environmentVariableFor(route)}`;

/**
 * Keys are stored in SecretStorage, one for each route, together with the origin for which they were entered. They are sent to no other
 * origin (Q2). A flag outside of SecretStorage distinguishes a lost key from one that was never set (docs/service.md, On the wire).
 *
 * A key of the environment is used if none is stored. It is sent to other machines only after the user has allowed the origin, and only
 * encrypted (docs/security.md, Addresses and keys).
 *
 * @param ask asks the user whether the environment's key may be sent to a route's origin; `isLost` if a key was saved, but is gone
 */
export function createKeys(
  secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>,
  memory: { get(name: string): unknown; update(name: string, value: unknown): Thenable<void> },
  environment: NodeJS.ProcessEnv,
  ask: (route: Route, isLost: boolean) => Promise<boolean>,
): Keys {
  const asking = new Map<string, Promise<boolean>>();
  const listeners = new Set<(route: Route) => void>();
  /** The names of routes with a lost key about which the user was told. */
  const told = new Set<string>();
  /** All renames of routes, oldest first. */
  const moves: (readonly [from: string, to: string])[] = [];

  function findInEnvironment(route: Route): FoundKey | undefined {
    const key = parseKey(environment[environmentVariableFor(route)] ?? '');
    if (key === '') return undefined;
    if (key === undefined) return { found: false, why: 'malformed' };
    if (isUnencrypted(route.origin)) return { found: false, why: 'unencrypted' };
    return isLoopbackAddress(route.origin) || allowed(route).includes(route.origin)
      ? { found: true, key, source: 'environment' }
      : { found: false, why: 'unconfirmed' };
  }

  function allowed(route: Route): readonly unknown[] {
    const origins = memory.get(allowedOrigins(route));
    return Array.isArray(origins) ? origins : [];
  }

  async function find(route: Route): Promise<FoundKey> {
    let secret: string | undefined;
    try {
      secret = await secrets.get(secretName(route));
    } catch {
      // The error isn't logged, because a keyring could write anything into it. The environment's key can be that of another account.
      const isSaved = memory.get(savedFlag(route)) !== undefined;
      const other = isSaved ? undefined : findInEnvironment(route);
      return other ?? { found: false, why: 'unreadable' };
    }
    const stored = parseStored(secret);
    if (stored?.origin === route.origin) return { found: true, key: stored.key, source: 'stored' };
    // The environment's key isn't used instead: the address was changed, and not necessarily by the user.
    if (stored !== undefined) return { found: false, why: 'other-origin' };
    const isLost = memory.get(savedFlag(route)) === route.origin;
    const other = findInEnvironment(route);
    if (other === undefined) return { found: false, why: isLost ? 'lost' : 'none' };
    return isLost ? { ...other, replacesSaved: true } : other;
  }

  async function askOnce(route: Route): Promise<boolean> {
    const found = await find(route);
    if (found.found || found.why !== 'unconfirmed') return found.found;
    const isLost = found.replacesSaved === true;
    if (isLost) told.add(route.name);
    if (!(await ask(route, isLost))) return false;
    await memory.update(allowedOrigins(route), [...allowed(route), route.origin]);
    return true;
  }

  async function remove(route: Route): Promise<void> {
    await secrets.delete(secretName(route));
    await memory.update(savedFlag(route), undefined);
  }

  /** Writes a secret and its flag, as they were before or as they are for another route. */
  async function put(route: Route, secret: string | undefined, flag: unknown): Promise<void> {
    if (secret === undefined) await secrets.delete(secretName(route));
    else await secrets.store(secretName(route), secret);
    await memory.update(savedFlag(route), flag);
  }

  return {
    onDidChange: secrets.onDidChange,
    find,
    confirm(route) {
      const id = `${environmentVariableFor(route)} ${route.origin}`;
      const known = asking.get(id) ?? askOnce(route).finally(() => asking.delete(id));
      asking.set(id, known);
      return known;
    },
    used(route, { replacesSaved }) {
      if (replacesSaved !== true || told.has(route.name)) return;
      told.add(route.name);
      for (const listener of listeners) listener(route);
    },
    onDidReplace(listener) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    async save(route, key) {
      const stored: StoredKey = { origin: route.origin, key };
      await secrets.store(secretName(route), JSON.stringify(stored));
      await memory.update(savedFlag(route), route.origin);
      told.delete(route.name);
    },
    async clear(route) {
      const others = allowed(route).filter((origin) => origin !== route.origin);
      await memory.update(allowedOrigins(route), others.length === 0 ? undefined : others);
      await remove(route);
    },
    async copy(from, to) {
      const [secret, before] = [await secrets.get(secretName(from)), await secrets.get(secretName(to))];
      const flag = memory.get(savedFlag(to));
      await put(to, secret, memory.get(savedFlag(from)));
      return async () => {
        if ((await secrets.get(secretName(to))) === secret) await put(to, before, flag);
      };
    },
    isStored: async (route) => (await secrets.get(secretName(route))) !== undefined,
    remove,
    moved: (from, to) => void moves.push([from.name, to.name]),
    follow(route) {
      const begun = moves.length;
      return () => {
        const name = moves.slice(begun).reduce((now, [from, to]) => (now === from ? to : now), route.name);
        return { ...route, name };
      };
    },
  };
}

function parseStored(text: string | undefined): StoredKey | undefined {
  // `find` reports an invalid value as a lost key.
  const stored = asObject(parseJson(text ?? ''));
  const origin = asString(stored?.['origin']);
  const key = asString(stored?.['key']);
  if (origin === undefined || key === undefined || key === '' || !isSendable(key)) return undefined;
  return { origin, key };
}
