import { scrollLog } from '../base/scrollLog.ts';
import { hasSelectionEnd } from '../text/selection.ts';

/** Keeps the end of the transcript in view while the user is there, and never moves a user who has scrolled up. */
export interface AutoScroll {
  /** Call this when everything was drawn, not only texts. */
  attach(log: HTMLElement | null): void;
  /** Call this when the content has changed. Scrolls to the end if the user is there. */
  contentGrew(): void;
  /** Draws. If the user has scrolled up, keeps the content in view in the same place, whatever changes above it. */
  drawInPlace(draw: () => void): void;
  toEnd(): void;
  /** Doesn't scroll on the next change, because the user has expanded something and looks at it. */
  hold(): void;
  atEnd(): boolean;
  /** The scroll position in pixels; undefined at the end. */
  position(): number | undefined;
  /** Stops following the end, because other code scrolls to a place. */
  stopFollowing(): void;
  /** Scrolls to an element that the user moves to with a key. Stops following unless the end is then in view. */
  looksAt(element: HTMLElement): void;
  restore(position: number | undefined): void;
}

/** A position this close to the end counts as the end. In pixels. */
const NEAR = 24;
/** A scroll event this soon after the wheel, a key, or a touch counts as scrolling by the user, momentum included. In milliseconds. */
const BY_USER_MS = 1000;

/** The space around a waiting tool call, in pixels. */
const GAP = 8;

/**
 * Where to look for a visible element to keep in place, as fractions of the height. Several, because there may be a gap between
 * messages.
 */
const PROBE_HEIGHTS = [0.1, 0.2, 0.3, 0.5, 0.7];

/**
 * A small visible element to keep in place, such as a paragraph rather than its message. Text is preferred to the elements around it.
 * The name above a running answer is preferred to all others: when an earlier question is asked again, the user reads this answer, and
 * not the content below it.
 */
function visibleElement(log: HTMLElement): Element | undefined {
  const { left, top, width, height } = log.getBoundingClientRect();
  const name = log.querySelector('.is-running > .who');
  const place = name?.getBoundingClientRect();
  if (name && place && place.top >= top && place.bottom <= top + height) return name;
  const seen = PROBE_HEIGHTS.map((part) =>
    document.elementFromPoint(left + width / 2, top + height * part),
  ).filter((one): one is Element => one?.closest('.message') != null && !one.matches('.message'));
  return seen.find((one) => one.closest('[data-part]') !== null) ?? seen[0];
}

/** The button or row that the user has just used to expand or collapse something. */
function expandedBy(log: HTMLElement): Element | undefined {
  const { activeElement } = document;
  return activeElement?.hasAttribute('aria-expanded') && log.contains(activeElement)
    ? activeElement
    : undefined;
}

/**
 * Scrolls to the end, but not past the first waiting tool call: several can be higher than the log. An empty conversation is shown from
 * its beginning.
 */
function scrollToEnd(log: HTMLElement, waiting: Element | null): void {
  if (log.querySelector(':scope > .welcome:first-child')) return;
  log.scrollTop = log.scrollHeight;
  const call = waiting?.getBoundingClientRect();
  if (call === undefined) return;
  const frame = log.getBoundingClientRect();
  // If the call is higher than the log, its buttons are shown.
  const above = Math.max(call.top - GAP - frame.top, call.bottom + GAP - frame.bottom);
  if (above < 0) log.scrollTop += above;
}

export function createAutoScroll(onScrolled: () => void): AutoScroll {
  let log: HTMLElement | undefined;
  /** The first waiting tool call. */
  let waiting: Element | null = null;
  let following = true;
  let toRestore: number | undefined;
  let lastTop = 0;
  let held = false;
  /** Whether the selected text was selected before a new question, or the user, scrolled to the end. */
  let isSelectionLeft = false;
  document.addEventListener('selectionchange', () => {
    isSelectionLeft = false;
  });
  let lastUserInput = Number.NEGATIVE_INFINITY;
  /** Whether the primary button is pressed. While the user drags the scroll bar, which can take long, no input events arrive. */
  let isPressed = false;
  let remembering: ReturnType<typeof setTimeout> | undefined;

  function onUserInput(event: Event): void {
    // Another button opens a context menu, and no event tells when it is closed.
    if (event instanceof PointerEvent) isPressed = (event.buttons & 1) !== 0;
    // Moving the pointer without a pressed button doesn't scroll.
    if (event.type !== 'pointermove' || isPressed) lastUserInput = performance.now();
  }
  for (const type of ['pointerup', 'pointercancel', 'blur'])
    addEventListener(type, () => {
      // The last scroll events arrive later.
      if (isPressed) lastUserInput = performance.now();
      isPressed = false;
    });

  function onScroll(): void {
    // While a panel is being hidden it has no height, and its scroll position means nothing.
    if (log === undefined || log.clientHeight === 0 || document.hidden) return;
    // Only scrolling up by the user stops following. Growing content moves the end away from a user who did nothing,
    // and content that shrinks and grows again, as at the end of an answer, changes the scroll position too.
    const nearEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
    const byUser = isPressed || performance.now() - lastUserInput < BY_USER_MS;
    if (nearEnd) following = true;
    else if (byUser && (log.scrollTop < lastTop - 1 || (waiting !== null && log.scrollTop > lastTop + 1)))
      following = false;
    lastTop = log.scrollTop;
    document.body.classList.toggle('is-scrolled-up', !following);
    clearTimeout(remembering);
    remembering = setTimeout(onScrolled, 200);
  }

  const self: AutoScroll = {
    attach(element) {
      waiting = element?.querySelector('.tool-call.is-waiting') ?? null;
      if (element === null || element === log) return;
      log = element;
      lastTop = 0;
      // Heights also change without a message: when fonts load, code is highlighted, or the side bar gets narrower.
      new ResizeObserver(() => self.contentGrew()).observe(log);
      log.addEventListener('scroll', onScroll, { passive: true });
      for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointermove'] as const) {
        log.addEventListener(type, onUserInput, { passive: true });
      }
    },
    contentGrew() {
      if (log === undefined) return;
      if (toRestore !== undefined) {
        log.scrollTop = toRestore;
        toRestore = undefined;
      }
      // If all content is in view, so is the end, and no scroll event will tell.
      if (!following && log.clientHeight > 0 && log.scrollHeight - log.clientHeight < NEAR) self.toEnd();
      const outOfView = log.scrollHeight - log.scrollTop - log.clientHeight >= NEAR;
      // Text that the user is selecting must not move away from under the pointer.
      if (following && outOfView && !isSelectionLeft && hasSelectionEnd(log)) self.stopFollowing();
      if (following && !held) scrollToEnd(log, waiting);
      held = false;
    },
    drawInPlace(draw) {
      const stays =
        following || toRestore !== undefined || log === undefined
          ? undefined
          : ((held ? expandedBy(log) : undefined) ?? visibleElement(log));
      const before = stays?.getBoundingClientRect().top ?? 0;
      draw();
      if (log === undefined || stays?.isConnected !== true) return;
      const moved = stays.getBoundingClientRect().top - before;
      if (Math.abs(moved) >= 1) log.scrollTop += moved;
    },
    toEnd() {
      following = true;
      isSelectionLeft = true;
      toRestore = undefined;
      held = false;
      document.body.classList.remove('is-scrolled-up');
      if (log !== undefined) log.scrollTop = log.scrollHeight;
    },
    hold() {
      held = true;
    },
    stopFollowing() {
      following = false;
      toRestore = undefined;
      document.body.classList.add('is-scrolled-up');
    },
    looksAt(element) {
      if (log === undefined) return;
      if (element.offsetHeight > log.clientHeight) scrollLog(element, 'start');
      else element.scrollIntoView({ block: 'nearest' });
      if (log.scrollHeight - log.scrollTop - log.clientHeight >= NEAR) self.stopFollowing();
    },
    atEnd: () => following,
    position: () => (following ? undefined : log?.scrollTop),
    restore(position) {
      toRestore = position ?? 0;
      following = position === undefined;
      // No scroll event comes if this conversation and the previous one are both shown from their beginning.
      document.body.classList.toggle('is-scrolled-up', !following);
    },
  };
  return self;
}
