/** Waits for a condition instead of a fixed time. */
import { setTimeout as pause } from 'node:timers/promises';

/** The time in which a check is repeated often, in milliseconds. */
const OFTEN_MS = 1000;

/**
 * Repeats a check until it does not throw, and returns its result.
 * @param within in milliseconds; after that, the error of the last check is thrown
 */
export async function eventually<T>(check: () => T | Promise<T>, within = 60_000): Promise<T> {
  const began = Date.now();
  const until = began + within;
  for (;;) {
    // Compared before the check, which may wait itself, so that there is one more check after the time is up.
    const isLast = Date.now() > until;
    try {
      return await check();
    } catch (error) {
      if (isLast) throw error;
      // In a workbench, each check is work for three processes.
      await pause(Date.now() - began < OFTEN_MS ? 50 : 150);
    }
  }
}
