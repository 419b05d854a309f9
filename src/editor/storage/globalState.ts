/**
 * The global state of the extension, which all windows share, protected against two ways in which the editor loses updates: While an
 * update is on its way to the storage and back, the editor replaces its copy of the whole state with the one that comes back, and drops
 * later updates (microsoft/vscode#137132). And another window that doesn't know an update yet stores all values as they were before it.
 */
import type * as vscode from 'vscode';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import type { Log } from '../base/log.ts';
import { isSame } from './merged.ts';

export interface GlobalState {
  /** The value that was written last, which may not be stored yet. */
  get(name: string): unknown;
  keys(): readonly string[];
  /**
   * Stores a JSON value, or removes it with undefined. For a list, items that another window has added or removed in the meantime stay
   * added or removed; the order of a list has no meaning. Resolves when the value is stored. Rejects when the storage refuses it, or
   * when it is replaced again and again, as by another window.
   */
  update(name: string, value: unknown): Promise<void>;
}

/** How often a value is written if it is gone again after it was stored. */
const ATTEMPTS = 5;
/** The times after an update, in milliseconds, at which this checks whether another window has stored the previous value again. */
const LOOKS_MS = [300, 1000, 3000];

/** Applies a change of this window to the stored value. */
type Change = (now: unknown) => unknown;

export function createGlobalState(
  memento: Pick<vscode.Memento, 'get' | 'keys' | 'update'>,
  log: Pick<Log, 'warn'>,
): GlobalState {
  const queue = createKeyedQueue();
  /** The last update of each name that has not ended. */
  const pending = new Map<string, { readonly value: unknown }>();

  /** The last changes of each name, in their order. */
  const recent = new Map<string, readonly Change[]>();

  async function store(name: string, toNext: Change): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const next = toNext(memento.get(name));
      await memento.update(name, next);
      if (isSame(toNext(memento.get(name)), memento.get(name))) return;
    }
    throw new Error(`the editor didn’t keep the value of ${name}`);
  }

  async function restore(name: string): Promise<void> {
    const now: unknown = memento.get(name);
    const next = (recent.get(name) ?? []).reduce((value, change) => change(value), now);
    if (!isSame(next, now)) await memento.update(name, next);
  }

  function watch(name: string, change: Change): void {
    recent.set(name, [...(recent.get(name) ?? []), change]);
    for (const [index, ms] of LOOKS_MS.entries()) {
      const look = async () => {
        // If it fails, the next look tries again.
        await queue
          .run('all', () => restore(name))
          .catch((error: unknown) => log.warn(`couldn't restore ${name}: ${String(error)}`));
        if (index < LOOKS_MS.length - 1) return;
        const left = (recent.get(name) ?? []).filter((one) => one !== change);
        if (left.length > 0) recent.set(name, left);
        else recent.delete(name);
      };
      setTimeout(look, ms).unref();
    }
  }

  function get(name: string): unknown {
    const last = pending.get(name);
    return last === undefined ? memento.get(name) : last.value;
  }

  return {
    get,
    keys() {
      const names = new Set(memento.keys());
      for (const [name, { value }] of pending) {
        if (value === undefined) names.delete(name);
        else names.add(name);
      }
      return [...names];
    },
    update(name, value) {
      const last = { value };
      const before = get(name);
      const merge = toMerge(before, value);
      pending.set(name, last);
      // Updates run one after another, because the editor stores all values at once.
      return queue
        .run('all', () => store(name, merge ?? (() => value)))
        .then(() => watch(name, merge ?? ((now) => (isSame(now, before) ? value : now))))
        .finally(() => {
          if (pending.get(name) === last) pending.delete(name);
        });
    },
  };
}

/**
 * Returns a change that adds the same items to a list, and removes the same ones, whatever the list is by then. Undefined if a value is
 * not a list.
 */
function toMerge(before: unknown, value: unknown): Change | undefined {
  const [had, has] = [toList(before), toList(value)];
  if (had === undefined || has === undefined || (before === undefined && value === undefined))
    return undefined;
  const [removed, added] = [without(had, has), without(has, had)];
  return (now) => {
    const list = toList(now) ?? [];
    const next = [...without(list, removed), ...without(added, list)];
    return next.length === 0 && value === undefined ? undefined : next;
  };
}

const toList = (value: unknown): readonly unknown[] | undefined =>
  value === undefined ? [] : Array.isArray(value) ? value : undefined;

const without = (list: readonly unknown[], others: readonly unknown[]): readonly unknown[] =>
  list.filter((item) => !others.some((other) => isSame(item, other)));
