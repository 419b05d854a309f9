/**
 * Limits how long this window waits for a database that another program has locked. SQLite waits on the thread of the extension
 * host, which is blocked meanwhile: no text is shown, and Stop does nothing.
 */
import type { Database } from './sqlite.ts';

/** The wait, in milliseconds, if there was no lock recently. Another window usually needs the database for some milliseconds. */
export const USUAL_WAIT_MS = 2000;
/**
 * The wait of each attempt to open a database that was locked before, in milliseconds. The next attempt is made when the window
 * looks for changes again.
 */
export const OPENING_WAIT_MS = 20;
/** The wait of operations within the first 5 s after a failed one. Changes that can't be written stay in memory and are tried again. */
const NEXT_MS = 20;
const NEXT_UNTIL_MS = 5000;
/** The wait of operations within the first minute, so that a long lock costs little time. */
const LATER_MS = 200;
const LATER_UNTIL_MS = 60_000;

export interface Patience {
  /** Called before each operation. */
  begin(): void;
  /** Called when an operation failed because the database was locked. */
  giveUp(): void;
}

/** @param now milliseconds on a monotonic clock */
export function createPatience(
  db: Pick<Database, 'exec'>,
  now: () => number = () => performance.now(),
): Patience {
  let failedAt = Number.NEGATIVE_INFINITY;
  let set: number | undefined;
  function begin(): void {
    const since = now() - failedAt;
    const ms = since < NEXT_UNTIL_MS ? NEXT_MS : since < LATER_UNTIL_MS ? LATER_MS : USUAL_WAIT_MS;
    if (ms !== set) db.exec(`PRAGMA busy_timeout = ${ms}`);
    set = ms;
  }
  return {
    begin,
    giveUp() {
      failedAt = now();
    },
  };
}
