/** The longest wait, in milliseconds, for a page that is never idle. */
const LONGEST_WAIT_MS = 2000;

/** Runs deferrable work when the page is idle, or after two seconds. */
export const whenIdle = (run: () => void): void =>
  void requestIdleCallback(run, { timeout: LONGEST_WAIT_MS });
