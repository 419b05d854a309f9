/** A promise, and the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Like `Promise.withResolvers`, which Node 20 doesn't have. */
export function createDeferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // The constructor has called the function above before it returned.
  return { promise, ...(settle as Omit<Deferred<T>, 'promise'>) };
}
