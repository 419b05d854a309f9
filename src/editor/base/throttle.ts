/** Runs something at most once in a time; the last call is never lost. */
export interface Throttle {
  /** Runs at once, or when the time is over; calls until then are the same one. */
  call(): void;
  /** Runs at once, whether or not anything is waiting. The time counts from here. */
  now(): void;
  /** Runs at once what is waiting, if anything is. */
  flush(): void;
  /** Drops what is waiting. The throttle can still be used. */
  cancel(): void;
  dispose(): void;
}

/** @param ms the least time between two runs, in milliseconds */
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
