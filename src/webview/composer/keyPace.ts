/** When what is typed is sent to the host: the message box and the edit box of a question have one pace. */

/**
 * What is typed is sent with each key, so that nothing is lost, and what takes the host longer after this pause. In
 * milliseconds.
 */
const PAUSE_MS = 300;
/** In characters. A message takes about 0.1 ms for each 1,000, so a longer text is sent after the pause only. */
const MAX_TYPED = 50_000;

export interface KeyPace {
  /**
   * A key has changed the text.
   *
   * @param atOnce sends the text now; not called for a long one
   * @param paused called once no key has followed for a moment
   */
  onKey(text: string, atOnce: () => void, paused: () => void): void;
  /** Whether a call after the pause is due: the text of the page is newer than what arrives from the host. */
  isTyping(): boolean;
  /** Nothing is due any more. */
  end(): void;
}

/** Whether a text is sent after the pause only. */
export const isLong = (text: string): boolean => text.length > MAX_TYPED;

export function createKeyPace(): KeyPace {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    onKey(text, atOnce, paused) {
      if (!isLong(text)) atOnce();
      end();
      timer = setTimeout(() => {
        timer = undefined;
        paused();
      }, PAUSE_MS);
    },
    isTyping: () => timer !== undefined,
    end,
  };
}
