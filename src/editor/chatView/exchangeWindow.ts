/** Which exchanges of the shown conversation are on the page. */
import {
  endWindow,
  type PanelWindow,
  widenToEarlier,
  widenToLater,
  windowAround,
} from '../../panel/panelWindow.ts';

export interface ExchangeWindow {
  range(): PanelWindow;
  /** Moves to the end of a conversation with `count` exchanges. */
  toEnd(count: number): void;
  /**
   * Adjusts the window to `count` exchanges after changes that the page did not receive, for example while it was
   * hidden or when another branch was shown. A window that included the last exchange still includes it.
   */
  settle(count: number): void;
  /** Widens the window to earlier exchanges, and returns the range that is new. */
  widenToEarlier(): PanelWindow;
  /** Widens the window to later exchanges, and returns the range that is new. */
  widenToLater(count: number): PanelWindow;
  /**
   * Moves the window to an exchange. Returns false when it is in the window already, or not in the conversation (index
   * -1).
   */
  moveTo(index: number, count: number): boolean;
  /**
   * Updates the window for an exchange that was added or changed. `moved`: it is after the last exchange on the page,
   * so the window moved to the end. `outside`: it is before the first one on the page, or not in the conversation
   * (index -1).
   */
  put(index: number, count: number): 'inside' | 'outside' | 'moved';
}

export function createExchangeWindow(): ExchangeWindow {
  let range: PanelWindow = endWindow(0);
  /** The number of exchanges when the window was last set. */
  let known = 0;

  function set(next: PanelWindow, count: number): void {
    range = next;
    known = count;
  }

  return {
    range: () => range,
    toEnd: (count) => set(endWindow(count), count),
    settle(count) {
      if (range.to > count || range.to === 0) set(endWindow(count), count);
      else set(range.to === known ? { ...range, to: count } : range, count);
    },
    widenToEarlier() {
      const before = range;
      range = widenToEarlier(before);
      return { from: range.from, to: before.from };
    },
    widenToLater(count) {
      const before = range;
      set(widenToLater(before, count), count);
      return { from: before.to, to: range.to };
    },
    moveTo(index, count) {
      const wanted = index === -1 ? range : windowAround(range, index, count);
      if (wanted === range) return false;
      set(wanted, count);
      return true;
    },
    put(index, count) {
      if (index < range.from) return 'outside';
      if (index >= range.to && range.to < count - 1) {
        set(endWindow(count), count);
        return 'moved';
      }
      set({ ...range, to: Math.max(range.to, index + 1) }, count);
      return 'inside';
    },
  };
}
