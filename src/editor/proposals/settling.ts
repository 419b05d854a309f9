/** A delay in which something settles. It starts again whenever it is disturbed. */
export interface Settling {
  /** Starts the delay, or starts it again if it is running. */
  restart(): void;
  isPending(): boolean;
  /** Resolves at the end of the delay, also if it was started again meanwhile; at once if it isn't running. */
  settled(): Promise<void>;
  dispose(): void;
}

/**
 * @param ms the delay in milliseconds
 * @param run called at the end of the delay
 */
export function createSettling(ms: number, run: () => void): Settling {
  let timer: NodeJS.Timeout | undefined;
  /** The resolvers of promises that wait for the end of the delay. */
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
