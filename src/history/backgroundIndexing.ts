/** Adds missing turns to the search index, a little at a time, so that the window stays responsive. */
import type { History } from './history.ts';
import { toStorageTrouble } from './sqlite.ts';

/** The duration of one step of writing to the database, and the pause after it, in milliseconds. */
const WORK_MS = 15;
const PAUSE_MS = 60;

/**
 * The delay before the next attempt after another program has locked the database, and the longest delay, in milliseconds. Each
 * attempt doubles the delay. The longest is at most half of the time for which `createPatience` remembers a lock, so that no attempt
 * waits long on the thread of the extension host.
 */
const RETRY_MS = { first: 1000, longest: 30_000 };

/**
 * Starts indexing after a pause. Then checks the index once, which empties it if it is damaged, so that it is filled again. A lock of
 * another program delays it. Any other error stops it until the next window, and searches use the index as it is.
 *
 * @param onFailure called for an error that stops indexing, and for the first of consecutive attempts that find the database locked
 * @param retryMs replaced in tests
 */
export function startIndexing(
  history: Pick<History, 'indexDue' | 'mergeParts' | 'checkIndex'>,
  onFailure: (error: unknown) => void,
  retryMs: typeof RETRY_MS = RETRY_MS,
): { dispose(): void } {
  let timer: NodeJS.Timeout | undefined;
  /** Undefined unless the last attempt failed. */
  let delay: number | undefined;
  /** Whether the complete index was checked. */
  let isChecked = false;
  const wait = (ms: number) => {
    timer = setTimeout(step, ms);
    timer.unref();
  };
  function step(): void {
    try {
      // Merges first, because the previous step has added parts, and there should be few.
      let isMore = history.mergeParts(WORK_MS) || history.indexDue(WORK_MS);
      if (!isMore && !isChecked) {
        isMore = history.checkIndex();
        isChecked = true;
      }
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
