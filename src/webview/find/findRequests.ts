/** When the host is asked for the places of words: at once for the user, and once in a while for text that has come. */
import type { WebviewMessage } from '../../panel/webviewMessages.ts';

/** Why the host was asked. */
export type AskedBy = 'user' | 'new-text';

export interface FindRequests {
  /** Asks now. What was to be asked later is not asked any more. */
  ask(words: string, by: AskedBy): void;
  /** Text has come: asks again after a pause, unless the find bar is closed or empty by then. */
  grew(): void;
  /** An answer has come. Returns what it was asked for; undefined if it was not waited for. */
  answered(): AskedBy | undefined;
  /** The answer that is waited for may have been lost. Returns what it was asked for, if it is. */
  forget(): AskedBy | undefined;
  /** Whether the host is asked soon, because text has come. */
  isDue(): boolean;
  /** Asks nothing later. */
  cancel(): void;
}

/** How long text that comes waits for a search, in milliseconds. */
const PAUSE_MS = 1000;
/** A search that took t milliseconds waits this many times t for the next one, so that it takes little of the time. */
const PAUSE_FACTOR = 10;

/** @param words what is searched for now; empty or undefined if nothing is */
export function createFindRequests(
  post: (message: WebviewMessage) => void,
  words: () => string | undefined,
): FindRequests {
  /** What was asked last and is not answered. */
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
    // The host hasn't answered yet.
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
