/** Runs something at most once in a time; the last call is never lost. */
export interface Throttle {
  call(): void;
  /** Runs at once what is waiting, if anything is. */
  flush(): void;
  dispose(): void;
}

/** @param ms the least time between two runs, in milliseconds */
export function createThrottle(ms: number, run: () => void): Throttle {
  let waiting: NodeJS.Timeout | undefined;
  let last = Number.NEGATIVE_INFINITY;
  const runNow = () => {
    clearTimeout(waiting);
    waiting = undefined;
    last = performance.now();
    run();
  };
  return {
    call() {
      if (waiting !== undefined) return;
      const wait = ms - (performance.now() - last);
      if (wait <= 0) runNow();
      else waiting = setTimeout(runNow, wait);
    },
    flush() {
      if (waiting !== undefined) runNow();
    },
    dispose() {
      clearTimeout(waiting);
      waiting = undefined;
    },
  };
}
