/** Waits for a condition instead of a fixed time. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats a check until it does not throw, and returns its result.
 * @param within in milliseconds; after that, the error of the last check is thrown
 */
export async function eventually<T>(check: () => T | Promise<T>, within = 10_000): Promise<T> {
  const until = Date.now() + within;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) throw error;
      await pause(50);
    }
  }
}
