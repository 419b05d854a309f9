/** A time in which something settles, which begins again whenever it is disturbed. */
export interface Settling {
  /** Begins the time, also while it runs. */
  restart(): void;
  isPending(): boolean;
  /** Resolves when the time has passed, whether or not it begins again meanwhile; at once if it isn't running. */
  settled(): Promise<void>;
  dispose(): void;
}

/**
 * @param ms the time in milliseconds
 * @param run what is done at its end
 */
export function createSettling(ms: number, run: () => void): Settling {
  let timer: NodeJS.Timeout | undefined;
  /** All who wait until the end. */
  let waiting: (() => void)[] = [];
  return {
    restart() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        const released = waiting;
        waiting = [];
        run();
        for (const release of released) release();
      }, ms);
    },
    isPending: () => timer !== undefined,
    settled: async () => {
      if (timer !== undefined) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    dispose: () => clearTimeout(timer),
  };
}
