/** Waits for a condition instead of a fixed time. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats a check until it does not throw, and returns its result.
 * @param within in milliseconds; after that, the error of the last check is thrown
 */
export async function eventually<T>(check: () => T | Promise<T>, within = 60_000): Promise<T> {
  const until = Date.now() + within;
  for (;;) {
    // Before the check, which may wait itself: it is made once more after that time.
    const isLast = Date.now() > until;
    try {
      return await check();
    } catch (error) {
      if (isLast) throw error;
      await pause(50);
    }
  }
}
