/** The leases of the turns that run in this window, also of those that could not be written. */
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
   * Acquires the leases that could not be written or renewed, and gives back those that could not be given back. Returns the
   * conversations in which another window was faster.
   *
   * @param isFailing whether writing fails, so that no lease is renewed, or the database is another one, which may have none
   */
  writeDue(isFailing: boolean): readonly string[];
  releaseAll(): void;
}

type LeaseHistory = Pick<History, 'take' | 'release' | 'holder'>;

export function createTurnLeases(history: LeaseHistory | undefined, attempt: Attempt): TurnLeases {
  const running = new Set<string>();
  /** Conversations with a turn of this window whose lease may not be in the database. */
  const unleased = new Set<string>();
  /** Conversations without a turn of this window whose lease may still be in the database, and is renewed with the others. */
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
    // On a full disk a lease can't be written, but that of another window can still be read.
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
      // A lease that isn't renewed runs out.
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
