import type * as vscode from 'vscode';
import { environmentVariableFor } from '../../service/address.ts';
import type { Route } from '../../service/types.ts';
import type { FoundKey } from '../../turns/credentials.ts';

export interface Keys {
  /** A key was saved or cleared, in any window. */
  readonly onDidChange: vscode.Event<unknown>;
  /** Looks the key up afresh; it is kept nowhere else. */
  find(route: Route): Promise<FoundKey>;
  save(route: Route, key: string): Promise<void>;
  clear(route: Route): Promise<void>;
}

interface StoredKey {
  readonly origin: string;
  readonly key: string;
}

const secretName = (route: Route) => `k3.key.${route.name}`;
const savedFlag = (route: Route) => `k3.keySaved.${route.name}`;

/**
 * Keys live in SecretStorage, one for each route, with the origin that they were given for; they are sent to no other
 * (Q2). A flag outside the store tells a key that was lost from one that never was (docs/service.md, On the wire).
 */
export function createKeys(
  secrets: vscode.SecretStorage,
  memory: vscode.Memento,
  environment: NodeJS.ProcessEnv,
): Keys {
  return {
    onDidChange: secrets.onDidChange,
    async find(route) {
      const stored = parseStored(await secrets.get(secretName(route)));
      if (stored?.origin === route.origin) return { found: true, key: stored.key, source: 'stored' };
      const fromEnvironment = environment[environmentVariableFor(route)]?.trim();
      if (fromEnvironment) return { found: true, key: fromEnvironment, source: 'environment' };
      if (stored !== undefined) return { found: false, why: 'other-origin' };
      return { found: false, why: memory.get(savedFlag(route)) === route.origin ? 'lost' : 'none' };
    },
    async save(route, key) {
      const stored: StoredKey = { origin: route.origin, key };
      await secrets.store(secretName(route), JSON.stringify(stored));
      await memory.update(savedFlag(route), route.origin);
    },
    async clear(route) {
      await secrets.delete(secretName(route));
      await memory.update(savedFlag(route), undefined);
    },
  };
}

function parseStored(text: string | undefined): StoredKey | undefined {
  if (text === undefined) return undefined;
  try {
    const { origin, key } = JSON.parse(text);
    return typeof origin === 'string' && typeof key === 'string' ? { origin, key } : undefined;
  } catch {
    // The caller says that a key was saved and is lost.
    return undefined;
  }
}
