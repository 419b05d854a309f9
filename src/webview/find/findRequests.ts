/** Decides when the host is asked to search: at once for the user, and after a pause for new text. */
import type { WebviewMessage } from '../../panel/webviewMessages.ts';

/** The reason for a search. */
export type AskedBy = 'user' | 'new-text';

export interface FindRequests {
  /** Searches now. Cancels a search that is due later. */
  ask(words: string, by: AskedBy): void;
  /** Call this when new text has arrived. Searches again after a pause, unless the find bar is closed or empty by then. */
  grew(): void;
  /** Call this when results have arrived. Returns the reason of the search; undefined if no results were expected. */
  answered(): AskedBy | undefined;
  /** Call this when expected results may have been lost. Returns the reason of the search; undefined if no results were expected. */
  forget(): AskedBy | undefined;
  /** Whether a search is due because of new text. */
  isDue(): boolean;
  /** Cancels a search that is due later. */
  cancel(): void;
}

/** How long new text waits for a search, in milliseconds. */
const PAUSE_MS = 1000;
/** After a search that took t milliseconds, the next one waits this many times t, so that searching takes a small share of the time. */
const PAUSE_FACTOR = 10;

/** @param words returns the current search text; empty or undefined if there is none */
export function createFindRequests(
  post: (message: WebviewMessage) => void,
  words: () => string | undefined,
): FindRequests {
  /** The reason of the search whose results have not arrived. */
  let asked: AskedBy | undefined;
  let askedAt = 0;
  let pause = PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function cancel(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function ask(wanted: string, by: AskedBy): void {
    cancel();
    asked = by;
    askedAt = performance.now();
    post({ type: 'find', words: wanted });
  }

  function grew(): void {
    if (words()) timer ??= setTimeout(follow, pause);
  }

  function follow(): void {
    timer = undefined;
    const wanted = words();
    if (!wanted) return;
    // Waits again if the host hasn't answered yet.
    if (asked === undefined) ask(wanted, 'new-text');
    else grew();
  }

  return {
    ask,
    grew,
    answered() {
      const by = asked;
      asked = undefined;
      pause = Math.max(PAUSE_MS, (performance.now() - askedAt) * PAUSE_FACTOR);
      return by;
    },
    forget() {
      const by = asked;
      asked = undefined;
      return by;
    },
    isDue: () => timer !== undefined,
    cancel,
  };
}
