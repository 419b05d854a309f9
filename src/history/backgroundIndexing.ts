/** Puts what is not in the search index yet there, a little at a time, so that the window stays responsive. */
import type { History } from './history.ts';

/** How long the database is written to at once, and the pause after it, in milliseconds. */
const WORK_MS = 15;
const PAUSE_MS = 60;

/** Begins after a pause. An error ends it until the next window; a search goes on with what is there. */
export function startIndexing(
  history: Pick<History, 'indexDue' | 'mergeParts'>,
  onFailure: (error: unknown) => void,
): { dispose(): void } {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(step, PAUSE_MS);
    timer.unref();
  };
  function step(): void {
    try {
      // First what the step before has left, so that there are few parts.
      if (history.mergeParts(WORK_MS) || history.indexDue(WORK_MS)) wait();
    } catch (error) {
      onFailure(error);
    }
  }
  wait();
  return { dispose: () => clearTimeout(timer) };
}
