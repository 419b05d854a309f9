/**
 * Scrolls the log of the chat to an element in it. `scrollIntoView` alone would also scroll the editor's frame around the
 * page, which can be a few pixels too high, and cut off the page at its top.
 *
 * @param to where the element is then in the log
 */
export function scrollLog(element: Element | null | undefined, to: 'start' | 'center'): void {
  const log = element?.closest('.log');
  if (!element || !log) return;
  // In what scrolls in the log, such as the result of a tool. What is visible then scrolls nothing around the log.
  element.scrollIntoView({ block: 'nearest' });
  const place = element.getBoundingClientRect();
  const frame = log.getBoundingClientRect();
  log.scrollTop += place.top - frame.top - (to === 'start' ? 0 : (frame.height - place.height) / 2);
}
