/**
 * How long this window waits for a database that another program has locked. SQLite waits on the thread of the extension
 * host, on which nothing else happens meanwhile: no text is shown, and Stop does nothing.
 */
import type { Database } from './sqlite.ts';

/** Another window needs it for some milliseconds. */
export const USUAL_WAIT_MS = 2000;
/** Each attempt to open a database that was locked before. The next one is made when the window looks for changes again. */
export const OPENING_WAIT_MS = 20;
/** Each operation directly after one that waited in vain. What can't be written is in memory, and is tried again. */
const NEXT_MS = 20;
const NEXT_UNTIL_MS = 5000;
/** The attempts after that, so that a long lock costs little. */
const LATER_MS = 200;
const LATER_UNTIL_MS = 60_000;

export interface Patience {
  /** Called before each operation. */
  begin(): void;
  /** An operation waited in vain. */
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
