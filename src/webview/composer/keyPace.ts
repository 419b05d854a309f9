/** Decides when typed text is posted to the host. The message box and the edit box of a question use the same pace. */

/**
 * Text is posted with each key, so that nothing is lost. A message that takes the host longer is posted after this pause, in
 * milliseconds.
 */
const PAUSE_MS = 300;
/** Longer text is only posted after the pause, because a message takes about 0.1 ms for each 1,000 characters. In UTF-16 code units. */
const MAX_TYPED = 50_000;

export interface KeyPace {
  /**
   * Call this when a key has changed the text.
   *
   * @param atOnce posts the text now; not called for a long text
   * @param paused called when no other key has followed for the pause
   */
  onKey(text: string, atOnce: () => void, paused: () => void): void;
  /** Whether a call of `paused` is due. The text of the page is then newer than the text that arrives from the host. */
  isTyping(): boolean;
  /** Cancels the due call. */
  end(): void;
}

/** Whether a text is only posted after the pause. */
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
