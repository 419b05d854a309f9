/** How often a running turn's text and figures go to a page. */

/** At most one message of text in this time; nobody sees more than sixty frames a second. In milliseconds. */
const FRAME_MS = 16;
/** Figures and labels change less often than the text. In milliseconds. */
const STATUS_MS = 250;

export interface Pacer {
  /** Sends text at once, or when the frame is over; calls until then are the same one. */
  text(send: () => void): void;
  /** Sends figures after a while. */
  status(send: () => void): void;
  /** Text went out without being paced. */
  textWent(): void;
  /** Drops what waits, because all of it goes out at once now. */
  clear(): void;
}

export function createPacer(): Pacer {
  let lastText = 0;
  let pendingText: NodeJS.Timeout | undefined;
  let pendingStatus: NodeJS.Timeout | undefined;
  return {
    text(send) {
      if (pendingText !== undefined) return;
      const wait = FRAME_MS - (performance.now() - lastText);
      if (wait <= 0) {
        send();
        return;
      }
      pendingText = setTimeout(() => {
        pendingText = undefined;
        send();
      }, wait);
    },
    status(send) {
      pendingStatus ??= setTimeout(() => {
        pendingStatus = undefined;
        send();
      }, STATUS_MS);
    },
    textWent() {
      lastText = performance.now();
    },
    clear() {
      clearTimeout(pendingText);
      clearTimeout(pendingStatus);
      pendingText = undefined;
      pendingStatus = undefined;
    },
  };
}
