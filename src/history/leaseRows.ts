/**
 * Leases say in which window a turn of a conversation runs. A lease that isn't renewed expires. The lease of a process that no
 * longer runs ends at once.
 */
import { randomUUID } from 'node:crypto';
import { type Database, transact } from './sqlite.ts';

/** How long a lease is valid without being renewed, in milliseconds. Windows renew once a second. */
export const LEASE_MS = 10_000;

/** Whether a window still runs, given the time until which it promised to run. */
export type LeaseCheck = (window: string, until: number) => boolean;

/**
 * Creates a check of such times. A time too far ahead was written before the clock was set back. A running window renews it soon, so
 * the window counts as ended once this time was seen for as long as a lease is valid.
 *
 * @param now epoch milliseconds, as are the times that are checked
 * @param elapsed milliseconds of a monotonic clock
 */
export function createLeaseCheck(now: () => number, elapsed: () => number): LeaseCheck {
  /** When each time too far ahead was first seen. Kept until the clock has passed that time. */
  const seen = new Map<string, { readonly until: number; readonly since: number }>();

  function note(key: string, until: number): number {
    for (const [other, one] of seen) if (one.until <= now()) seen.delete(other);
    const since = elapsed();
    seen.set(key, { until, since });
    return since;
  }

  return (window, until) => {
    const key = `${window} ${until}`;
    const ms = until - now();
    // A lease that has ended stays ended when the clock is right again.
    const since = seen.get(key)?.since ?? (ms > LEASE_MS ? note(key, until) : undefined);
    return ms > 0 && (since === undefined || elapsed() - since < LEASE_MS);
  };
}

/** Whether a window has to renew such a time. */
export const isLeaseDue = (until: number, now: number): boolean =>
  until - now <= LEASE_MS / 2 || until - now > LEASE_MS;

export interface Holder {
  readonly conversationId: string;
  /** A description of the window for the user, such as the name of its workspace. */
  readonly place: string;
}

/**
 * Whether the process of a window runs, as far as this process can tell. A window on another machine, which shares the home folder,
 * counts as running until its lease expires. After a restart of the machine or of a container, this process can have the ID of the
 * one that was killed, so the window ID is compared as well.
 */
export const isWindowRunning = (
  window: string,
  pid: number,
  deps: Pick<LeaseDeps, 'window' | 'pid' | 'isAlive' | 'isHere'>,
): boolean =>
  isElsewhere(window, deps.window) || (deps.isAlive(pid) && (pid !== deps.pid || deps.isHere(window)));

/** Creates an ID for a window. It starts with the name of the machine, because process IDs are only valid there. */
export const newWindowId = (machine: string): string => `${machine}/${randomUUID()}`;

function isElsewhere(window: string, own: string): boolean {
  const [there, here] = [machineOf(window), machineOf(own)];
  // The window IDs of earlier versions have no machine.
  return there !== '' && there !== here;
}

const machineOf = (window: string): string => window.slice(0, Math.max(0, window.lastIndexOf('/')));

export interface LeaseRows {
  /** Acquires the lease of a conversation for this window. False when another window has it. */
  take(conversationId: string): boolean;
  renew(): void;
  release(conversationId: string): void;
  /** The other window that has the lease, if any. */
  holder(conversationId: string): Holder | undefined;
  /** All leases of other windows. */
  holders(): readonly Holder[];
}

export interface LeaseDeps {
  /** Unique ID of this window, made by `newWindowId`. */
  readonly window: string;
  readonly pid: number;
  readonly place: string;
  now(): number;
  readonly isLeased: LeaseCheck;
  isAlive(pid: number): boolean;
  /** Whether a window is open in this process. An earlier process can have had the same ID. */
  isHere(window: string): boolean;
}

export function createLeaseRows(db: Database, deps: LeaseDeps): LeaseRows {
  const { window, pid, place, now, isLeased } = deps;
  const find = db.prepare('SELECT * FROM lease WHERE conversation_id = ?');
  const all = db.prepare('SELECT * FROM lease WHERE window <> ? AND until > ?');
  const put = db.prepare(
    `INSERT INTO lease VALUES (?, ?, ?, ?, ?) ON CONFLICT (conversation_id) DO UPDATE SET
       window = excluded.window, pid = excluded.pid, place = excluded.place, until = excluded.until`,
  );
  const renew = db.prepare('UPDATE lease SET until = ? WHERE window = ?');
  const drop = db.prepare('DELETE FROM lease WHERE conversation_id = ? AND window = ?');

  const holds = (row: Readonly<Record<string, unknown>> | undefined) =>
    row !== undefined &&
    row['window'] !== window &&
    isLeased(String(row['window']), Number(row['until'])) &&
    isWindowRunning(String(row['window']), Number(row['pid']), deps);

  return {
    take: (conversationId) =>
      transact(db, () => {
        if (holds(find.get(conversationId))) return false;
        put.run(conversationId, window, pid, place, now() + LEASE_MS);
        return true;
      }),
    renew: () => void renew.run(now() + LEASE_MS, window),
    release: (conversationId) => void drop.run(conversationId, window),
    holder(conversationId) {
      const row = find.get(conversationId);
      return row !== undefined && holds(row) ? { conversationId, place: String(row['place']) } : undefined;
    },
    holders: () =>
      all
        .all(window, now())
        .filter(holds)
        .map((row) => ({ conversationId: String(row['conversation_id']), place: String(row['place']) })),
  };
}

/** Whether a process runs on this machine, including processes of other users. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
