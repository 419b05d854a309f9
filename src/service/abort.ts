import { createDeferred } from './deferred.ts';

/**
 * Resolves with the result of some work, or rejects with the signal's reason if the signal aborts first.
 * After an abort, the work's own result or failure is ignored.
 */
export async function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const aborted = createDeferred<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
