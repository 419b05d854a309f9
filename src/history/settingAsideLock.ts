/** Lets only one window at a time set a database aside. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const LOCK_WAIT_MS = 10_000;
const LOCK_STEP_MS = 20;

/** Blocks this thread: SQLite does the same while it waits. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Runs the body in one window at a time. The lock is a folder, because only one process can create it. */
export function withLock<Result>(folder: string, body: () => Result): Result {
  const lock = join(folder, 'setting-aside.lock');
  // A monotonic clock, because the system clock can be set back meanwhile.
  const until = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      // After this wait, the lock counts as left by a killed process.
      if (performance.now() > until) break;
      pause(LOCK_STEP_MS);
    }
  }
  try {
    return body();
  } finally {
    // The lock may already be gone, because another window may have taken this one for killed and removed it.
    rmSync(lock, { recursive: true, force: true });
  }
}
