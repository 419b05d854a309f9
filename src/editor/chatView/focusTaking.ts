/**
 * Gives the focus to a page, and once more if it doesn't arrive. The editor passes it on to the page within its frame 50 ms
 * later, and forgets that when the frame reports meanwhile that it had lost the focus, which it does up to 250 ms late.
 */
import { watchOtherPlaces } from './otherPlaces.ts';

export interface FocusTaking {
  /** Gives the focus to the page. */
  take(): void;
  /** The page has got the focus, or lost it. */
  moved(here: boolean): void;
  /** The page is hidden or closed. */
  cancel(): void;
}

/** In this time the focus arrives, also on a slow machine. In milliseconds. */
const ARRIVES_MS = 500;

/** @param take gives the focus to the view or tab of the page */
export function createFocusTaking(take: () => void): FocusTaking {
  let isHere = false;
  let cancel = () => {};

  function awaitFocus(): void {
    const meanwhile = watchOtherPlaces();
    const timer = setTimeout(() => {
      const isElsewhere = meanwhile.worked();
      cancel();
      if (!isElsewhere) take();
    }, ARRIVES_MS);
    cancel = () => {
      clearTimeout(timer);
      meanwhile.dispose();
    };
  }

  return {
    take() {
      cancel();
      take();
      if (!isHere) awaitFocus();
    },
    moved(here) {
      isHere = here;
      if (here) cancel();
    },
    cancel() {
      isHere = false;
      cancel();
    },
  };
}
