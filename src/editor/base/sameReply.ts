/** Replies in comment boxes. The editor empties a box when its command has ended, so a double-click runs it twice with the same text. */

/**
 * Runs what is done with a reply, except while the same is being done with the same text.
 *
 * @param box what tells the box from others
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
