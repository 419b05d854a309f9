/** Runs a function at most once per interval. The last call is never lost. */
export interface Throttle {
  /** Runs at once, or at the end of the interval. Calls until then are merged into one run. */
  call(): void;
  /** Runs at once, whether or not a run is pending. A new interval starts. */
  now(): void;
  /** Runs at once if a run is pending. */
  flush(): void;
  /** Cancels a pending run. The throttle can still be used. */
  cancel(): void;
  dispose(): void;
}

/** @param ms the interval in milliseconds */
export function createThrottle(ms: number, run: () => void): Throttle {
  let waiting: NodeJS.Timeout | undefined;
  let last = Number.NEGATIVE_INFINITY;
  const cancel = () => {
    clearTimeout(waiting);
    waiting = undefined;
  };
  const now = () => {
    cancel();
    last = performance.now();
    run();
  };
  return {
    call() {
      if (waiting !== undefined) return;
      const wait = ms - (performance.now() - last);
      if (wait <= 0) now();
      else waiting = setTimeout(now, wait);
    },
    now,
    flush() {
      if (waiting !== undefined) now();
    },
    cancel,
    dispose: cancel,
  };
}
