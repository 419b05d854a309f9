/** Which exchanges of the shown conversation are on the page. */
import {
  endWindow,
  type PanelWindow,
  widenToEarlier,
  widenToLater,
  windowAround,
} from '../../panel/window.ts';

export interface ExchangeWindow {
  range(): PanelWindow;
  /** Goes to the end of a conversation of so many exchanges. */
  toEnd(count: number): void;
  /**
   * Takes account of exchanges that came or went while the page was not told, as behind a hidden page or with another
   * branch. A window that reached the end still does.
   */
  settle(count: number): void;
  /** Makes room for earlier exchanges, and returns those that are new. */
  widenToEarlier(): PanelWindow;
  /** Makes room for later exchanges, and returns those that are new. */
  widenToLater(count: number): PanelWindow;
  /** Moves to where an exchange is; false when it is there already, or is not in the conversation (index -1). */
  moveTo(index: number, count: number): boolean;
  /**
   * An exchange was added or changed. `moved`: it is far behind the last one on the page, so the window went to the end.
   * `outside`: it is before the first one on the page, or not in the conversation (index -1).
   */
  put(index: number, count: number): 'inside' | 'outside' | 'moved';
}

export function createExchangeWindow(): ExchangeWindow {
  let range: PanelWindow = endWindow(0);
  /** How many exchanges there were when the window was last set. */
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
