/** Replies in comment boxes. The editor empties a box when its command has ended, so a double-click runs it twice with the same text. */

/**
 * Runs an action on a reply, unless the same action is already running for the same text in the same box.
 *
 * @param box identifies the box
 */
export type OnceForReply = (box: string, text: string, act: () => Promise<unknown>) => Promise<void>;

export function createOnceForReply(): OnceForReply {
  const running = new Set<string>();
  return async (box, text, act) => {
    const key = JSON.stringify([box, text]);
    if (running.has(key)) return;
    running.add(key);
    try {
      await act();
    } finally {
      running.delete(key);
    }
  };
}
