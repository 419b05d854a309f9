/** Tracks writes to the database that have failed, and the reason. */
import { type StorageTrouble, toStorageTrouble } from './sqlite.ts';

export interface WriteAttempts {
  /** Runs a write, and returns whether it succeeded. A failed write stays noted until it succeeds or is settled. */
  attempt(what: string, write: () => void): boolean;
  /** Notes that this needs no more writes. */
  settle(what: string): void;
  /** Notes that this still has to be written. */
  add(what: string): void;
  has(what: string): boolean;
  any(): boolean;
  /** The reason why something couldn't be written. Undefined once everything that failed is written. */
  trouble(): StorageTrouble | undefined;
}

/** @param onTrouble called when the trouble changes, with the error that caused it */
export function createWriteAttempts(
  onTrouble: (trouble: StorageTrouble | undefined, error?: unknown) => void,
): WriteAttempts {
  const failing = new Set<string>();
  let trouble: StorageTrouble | undefined;

  function change(next: StorageTrouble | undefined, error?: unknown): void {
    if (trouble === next) return;
    trouble = next;
    onTrouble(next, error);
  }

  function settle(what: string): void {
    failing.delete(what);
    if (failing.size === 0) change(undefined);
  }

  return {
    settle,
    attempt(what, write) {
      try {
        write();
        settle(what);
        return true;
      } catch (error) {
        failing.add(what);
        change(toStorageTrouble(error), error);
        return false;
      }
    },
    add: (what) => void failing.add(what),
    has: (what) => failing.has(what),
    any: () => failing.size > 0,
    trouble: () => trouble,
  };
}
