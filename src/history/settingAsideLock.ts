/** The lock of windows that set a database aside, and waiting. */
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
  // Not the clock of the system, which can be set back meanwhile.
  const until = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      // Left by a process that was killed.
      if (performance.now() > until) break;
      pause(LOCK_STEP_MS);
    }
  }
  try {
    return body();
  } finally {
    // Another window may have taken this one for killed, and removed its lock.
    rmSync(lock, { recursive: true, force: true });
  }
}
