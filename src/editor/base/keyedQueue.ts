/** Runs asynchronous work one after another for each key. Work for different keys runs at the same time. */
export interface KeyedQueue {
  /** Runs the work after the earlier work of this key, whether or not that succeeded. Settles as the work does. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when the work that is queued for this key now has ended. Never rejects. */
  idle(key: string): Promise<void>;
}

export function createKeyedQueue(): KeyedQueue {
  /** The end of the last work of each key; these promises never reject. */
  const ends = new Map<string, Promise<void>>();
  const idle = async (key: string) => ends.get(key);
  return {
    run(key, work) {
      const done = idle(key).then(work);
      const end = done.then(
        () => undefined,
        // The caller of `run` gets the error.
        () => undefined,
      );
      ends.set(key, end);
      void end.then(() => ends.get(key) === end && ends.delete(key));
      return done;
    },
    idle,
  };
}
