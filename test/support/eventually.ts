/** Waiting for what a check says, instead of for a while. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats a check until it throws nothing, and returns what it returns.
 * @param within ms; after them the error of the last check is thrown
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
