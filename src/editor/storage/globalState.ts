/**
 * The global state of the extension, which all windows share, without the updates that the editor loses: while an earlier
 * update is on its way to the storage and back, the editor replaces its copy of the whole state with the one that
 * comes back, and drops what was written meanwhile (microsoft/vscode#137132).
 */
import type * as vscode from 'vscode';
import { createKeyedQueue } from '../base/keyedQueue.ts';

export interface GlobalState {
  /** The value that was written last, which may not be stored yet. */
  get(name: string): unknown;
  keys(): readonly string[];
  /**
   * Stores a JSON value, or removes it with undefined. Resolves when it is stored. Rejects when the storage refuses it, or
   * when it is replaced again and again, as by another window.
   */
  update(name: string, value: unknown): Promise<void>;
}

/** How often a value is written that is gone after it was stored. */
const ATTEMPTS = 5;

export function createGlobalState(memento: Pick<vscode.Memento, 'get' | 'keys' | 'update'>): GlobalState {
  const queue = createKeyedQueue();
  /** The last update of each name that has not ended. */
  const pending = new Map<string, { readonly value: unknown }>();

  async function store(name: string, value: unknown): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await memento.update(name, value);
      if (JSON.stringify(memento.get(name)) === JSON.stringify(value)) return;
    }
    throw new Error(`the editor didn’t keep the value of ${name}`);
  }

  return {
    get(name) {
      const last = pending.get(name);
      return last === undefined ? memento.get(name) : last.value;
    },
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
      pending.set(name, last);
      // One after another, because the editor stores all values at once.
      return queue
        .run('all', () => store(name, value))
        .finally(() => {
          if (pending.get(name) === last) pending.delete(name);
        });
    },
  };
}
