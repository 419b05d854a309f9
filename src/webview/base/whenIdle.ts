/** A page that always has something to do has no idle time: it is interrupted after this. In milliseconds. */
const LONGEST_WAIT_MS = 2000;

/** Runs work that can wait when the page is idle, or after two seconds. */
export const whenIdle = (run: () => void): void =>
  void requestIdleCallback(run, { timeout: LONGEST_WAIT_MS });
