/** Holds the leases of turns that run in this window, including leases that couldn't be written. */
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import type { Holder } from './leaseRows.ts';

export interface TurnLeases {
  /** Acquires the lease of a conversation, so that a turn can run in it. Returns the other holder if that fails. */
  take(id: string): Holder | undefined;
  /** Acquires the lease again after a wait. Returns the other holder if that fails. */
  renew(id: string): Holder | undefined;
  release(id: string): void;
  /** Whether a turn of this window runs in a conversation. */
  isRunning(id: string): boolean;
  /** The other window in which a turn of the conversation runs. */
  holder(id: string): Holder | undefined;
  /**
   * Tries again to acquire leases that couldn't be written or renewed, and to release those that couldn't be released. Returns the
   * conversations whose lease another window has acquired first.
   *
   * @param isFailing whether leases have to be acquired again, because writing fails and no lease is renewed, or because the
   * database was replaced and may have none
   */
  writeDue(isFailing: boolean): readonly string[];
  releaseAll(): void;
}

type LeaseHistory = Pick<History, 'take' | 'release' | 'holder'>;

export function createTurnLeases(history: LeaseHistory | undefined, attempt: Attempt): TurnLeases {
  const running = new Set<string>();
  /** Conversations with a running turn of this window whose lease may not be in the database. */
  const unleased = new Set<string>();
  /**
   * Conversations without a running turn of this window whose lease may still be in the database, where it is renewed with the
   * others.
   */
  const unreleased = new Set<string>();

  const holder = (id: string) =>
    attempt('looking for the window of a conversation', () => history?.holder(id));
  function giveBack(id: string): void {
    unreleased.add(id);
    attempt('releasing a conversation', () => {
      history?.release(id);
      unreleased.delete(id);
    });
  }

  function renew(id: string): Holder | undefined {
    unreleased.delete(id);
    const taken = attempt('taking a conversation', () => history?.take(id) ?? true);
    if (taken === false) return holder(id) ?? { conversationId: id, place: '' };
    if (taken === true) return undefined;
    // On a full disk, a lease can't be written, but the lease of another window can still be read.
    const other = holder(id);
    if (other === undefined) unleased.add(id);
    return other;
  }

  return {
    take(id) {
      const other = renew(id);
      if (other === undefined) running.add(id);
      return other;
    },
    renew,
    release(id) {
      running.delete(id);
      unleased.delete(id);
      giveBack(id);
    },
    isRunning: (id) => running.has(id),
    holder,
    writeDue(isFailing) {
      // Leases that aren't renewed expire.
      if (isFailing) for (const id of running) unleased.add(id);
      for (const id of unreleased) giveBack(id);
      const lost: string[] = [];
      for (const id of unleased) {
        const taken = running.has(id) ? attempt('taking a conversation', () => history?.take(id)) : true;
        if (taken === undefined) continue;
        unleased.delete(id);
        if (!taken) lost.push(id);
      }
      return lost;
    },
    releaseAll() {
      for (const id of running) giveBack(id);
    },
  };
}
