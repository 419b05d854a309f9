/** Puts what is not in the search index yet there, a little at a time, so that the window stays responsive. */
import type { History } from './history.ts';
import { toStorageTrouble } from './sqlite.ts';

/** How long the database is written to at once, and the pause after it, in milliseconds. */
const WORK_MS = 15;
const PAUSE_MS = 60;

/**
 * Milliseconds until the first attempt after another program had locked the database, and at most, because each attempt doubles them.
 * At most half of what `createPatience` remembers a lock for, so that no attempt waits long on the thread of the extension host.
 */
const RETRY_MS = { first: 1000, longest: 30_000 };

/**
 * Begins after a pause. A lock of another program delays it; any other error ends it until the next window. A search goes on with
 * what is there.
 *
 * @param onFailure called for an error that ends it, and for the first of several attempts at which the database is locked
 * @param retryMs replaced in tests
 */
export function startIndexing(
  history: Pick<History, 'indexDue' | 'mergeParts'>,
  onFailure: (error: unknown) => void,
  retryMs: typeof RETRY_MS = RETRY_MS,
): { dispose(): void } {
  let timer: NodeJS.Timeout | undefined;
  /** Undefined unless the last attempt failed. */
  let delay: number | undefined;
  const wait = (ms: number) => {
    timer = setTimeout(step, ms);
    timer.unref();
  };
  function step(): void {
    try {
      // First what the step before has left, so that there are few parts.
      const isMore = history.mergeParts(WORK_MS) || history.indexDue(WORK_MS);
      delay = undefined;
      if (isMore) wait(PAUSE_MS);
    } catch (error) {
      const isLocked = toStorageTrouble(error) === 'busy';
      if (!isLocked || delay === undefined) onFailure(error);
      if (!isLocked) return;
      delay = delay === undefined ? retryMs.first : Math.min(delay * 2, retryMs.longest);
      wait(delay);
    }
  }
  wait(PAUSE_MS);
  return { dispose: () => clearTimeout(timer) };
}
