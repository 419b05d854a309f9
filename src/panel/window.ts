/** Which exchanges of a conversation a panel holds. A page of thousands is slow to build, so it is some of them. */

export interface PanelWindow {
  /** Index of the first exchange that the panel holds. */
  readonly from: number;
  /** Index after the last one. */
  readonly to: number;
}

/** How many exchanges come at once. */
export const EXCHANGES_AT_ONCE = 40;

/** The end of a conversation, where one goes on. */
export function endWindow(count: number): PanelWindow {
  return { from: Math.max(0, count - EXCHANGES_AT_ONCE), to: count };
}

export function widenToEarlier({ from, to }: PanelWindow): PanelWindow {
  return { from: Math.max(0, from - EXCHANGES_AT_ONCE), to };
}

export function widenToLater({ from, to }: PanelWindow, count: number): PanelWindow {
  return { from, to: Math.min(count, to + EXCHANGES_AT_ONCE) };
}

/** A window with an exchange in it: the one there is, when it holds it already, else one around it. */
export function windowAround(window: PanelWindow, index: number, count: number): PanelWindow {
  if (index >= window.from && index < window.to) return window;
  const from = Math.max(0, index - EXCHANGES_AT_ONCE / 2);
  return { from, to: Math.min(count, from + EXCHANGES_AT_ONCE) };
}
