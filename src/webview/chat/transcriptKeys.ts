/**
 * Alt+Up and Alt+Down move from message to message, with Shift from card to card: outcomes, tool calls, proposals, and code. Below the
 * last one is the message box.
 */

const MESSAGES = '.log > article, .log > .earlier';
const CARDS = '.log .card, .log .tool-call, .log .proposal, .log .code, .log .structured';

export type WalkStep = 'previous' | 'next';

/** The step of a key; undefined for another key. */
export function walkStepOf({
  key,
  altKey,
  ctrlKey,
  metaKey,
}: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>): WalkStep | undefined {
  if (!altKey || ctrlKey || metaKey) return undefined;
  if (key === 'ArrowUp') return 'previous';
  return key === 'ArrowDown' ? 'next' : undefined;
}

/**
 * Focuses the message or card before or after the focus, and returns it. If the focus is outside of the transcript, the previous one is
 * the last message or card.
 *
 * @param box the element below the last message or card
 */
export function walk(
  step: WalkStep,
  to: 'messages' | 'cards',
  box: HTMLElement | null,
): HTMLElement | undefined {
  const stops = [...document.querySelectorAll<HTMLElement>(to === 'messages' ? MESSAGES : CARDS)].filter(
    (stop) => stop.checkVisibility(),
  );
  const target =
    step === 'previous' ? before(stops, document.activeElement) : after(stops, document.activeElement);
  if (target === undefined) {
    if (step === 'next') box?.focus();
    return undefined;
  }
  // If a question is being edited, its text box gets the focus.
  const focused = target.querySelector<HTMLElement>('textarea.edit') ?? target;
  // Cards have no tab stop of their own.
  if (focused.tabIndex < 0 && !focused.hasAttribute('tabindex')) focused.tabIndex = -1;
  focused.focus({ preventScroll: true });
  return target;
}

const inTranscript = (element: Element | null) => element?.closest('.log') ?? null;

/** The last stop that begins before the focused element. It may contain the element. */
function before(stops: readonly HTMLElement[], from: Element | null): HTMLElement | undefined {
  if (from === null || inTranscript(from) === null || from.matches('.log')) return stops.at(-1);
  return stops.findLast((stop) =>
    Boolean(stop.compareDocumentPosition(from) & Node.DOCUMENT_POSITION_FOLLOWING),
  );
}

function after(stops: readonly HTMLElement[], from: Element | null): HTMLElement | undefined {
  if (from === null || inTranscript(from) === null) return undefined;
  return stops.find((stop) => Boolean(from.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING));
}
