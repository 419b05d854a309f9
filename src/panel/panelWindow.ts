/** The exchanges of a conversation that the webview has. Rendering thousands is slow, so it gets only some of them. */

export interface PanelWindow {
  /** Index of the first exchange in the window. */
  readonly from: number;
  /** Index after the last exchange in the window. */
  readonly to: number;
}

/** Number of exchanges that are added at once. */
export const EXCHANGES_AT_ONCE = 40;

/** The last exchanges of a conversation, with which a conversation opens. */
export function endWindow(count: number): PanelWindow {
  return { from: Math.max(0, count - EXCHANGES_AT_ONCE), to: count };
}

export function widenToEarlier({ from, to }: PanelWindow): PanelWindow {
  return { from: Math.max(0, from - EXCHANGES_AT_ONCE), to };
}

export function widenToLater({ from, to }: PanelWindow, count: number): PanelWindow {
  return { from, to: Math.min(count, to + EXCHANGES_AT_ONCE) };
}

/** A window that contains an exchange: the current one if it does, otherwise a new one around it. */
export function windowAround(window: PanelWindow, index: number, count: number): PanelWindow {
  if (index >= window.from && index < window.to) return window;
  const from = Math.max(0, index - EXCHANGES_AT_ONCE / 2);
  return { from, to: Math.min(count, from + EXCHANGES_AT_ONCE) };
}
