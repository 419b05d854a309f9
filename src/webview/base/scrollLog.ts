/**
 * Scrolls the log of the chat to an element in it. `scrollIntoView` alone would also scroll the editor's frame around the page, which
 * can be a few pixels too high, and would cut off the top of the page.
 *
 * @param to where in the log the element is shown
 */
export function scrollLog(element: Element | null | undefined, to: 'start' | 'center'): void {
  const log = element?.closest('.log');
  if (!element || !log) return;
  // Scrolls containers inside of the log, such as the result of a tool. If the element is visible in the log, nothing around the log
  // scrolls.
  element.scrollIntoView({ block: 'nearest' });
  const place = element.getBoundingClientRect();
  const frame = log.getBoundingClientRect();
  log.scrollTop += place.top - frame.top - (to === 'start' ? 0 : (frame.height - place.height) / 2);
}
