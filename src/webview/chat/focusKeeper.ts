/**
 * Keeps the focus where the user works when the focused element disappears: a pressed button, or a removed item. Otherwise the focus
 * would move to the start of the page, and screen readers would start over.
 */

/**
 * Containers of buttons or items that belong together. Not the buttons of a card or beside Stop: pressing the key again must not run
 * another action.
 */
const GROUP = '[role="toolbar"], [role="list"], .attempts';

/** The focused element, and the elements that get the focus if it disappears, the nearest first. */
interface Held {
  readonly element: HTMLElement;
  readonly others: readonly HTMLElement[];
}

/**
 * Draws, and moves the focus if its element is gone afterwards.
 *
 * @param last the element that gets the focus if no nearby element is left
 */
export function keepFocus(draw: () => void, last: () => HTMLElement | null): void {
  const held = document.hasFocus() ? holdFocus() : undefined;
  draw();
  if (held === undefined || (held.element.isConnected && !held.element.matches(':disabled'))) return;
  // Another element got the focus in the meantime.
  const now = document.activeElement;
  if (now !== document.body && now !== null && now !== held.element) return;
  const next = held.others.find((other) => isThere(other) && !other.matches(':disabled')) ?? last();
  next?.focus({ preventScroll: next.matches('article') });
  // The user didn't choose this element.
  forgetMove();
}

/** The element that had the focus last. The browser forgets it when the focus goes to another document. */
let latest: HTMLElement | undefined;

export function rememberFocus({ target }: Event): void {
  if (isKeyHandled) movedAt = performance.now();
  if (target instanceof HTMLElement) latest = target;
}

/**
 * When the user's last key on this page moved the focus, in milliseconds. Undefined if the key did something else, or the page lost the
 * focus since.
 */
let movedAt: number | undefined;
/**
 * How long a move by a key counts, in milliseconds. After that, the user can have run a command with the mouse, which the page isn't
 * told.
 */
const MOVED_MS = 2000;
let isKeyHandled = false;

export function rememberKey(): void {
  forgetMove();
  isKeyHandled = true;
  setTimeout(() => {
    isKeyHandled = false;
  });
}

export function forgetMove(): void {
  movedAt = undefined;
}

const hasJustMoved = () => movedAt !== undefined && performance.now() - movedAt < MOVED_MS;

/** Focuses the element that had the focus last. Returns false if it is gone. */
export function focusAgain(): boolean {
  if (latest === undefined || !isThere(latest) || latest.matches(':disabled')) return false;
  latest.focus({ preventScroll: true });
  return true;
}

/** Sets the focus when the page gets the focus again. */
let due: (() => void) | undefined;

/**
 * Focuses an element of the page, now or when the page gets the focus. A script that focuses an element takes the focus from wherever
 * the user has moved in the meantime, such as from a quick pick of the editor, which then closes.
 */
export function focusWhenHere(focus: () => void): void {
  if (document.hasFocus()) {
    focus();
    return;
  }
  due = focus;
  setTimeout(() => {
    if (due !== focus) return;
    // In a busy browser, the page can get the focus event before `hasFocus` returns true.
    if (document.hasFocus()) focusDue();
    // If the editor's frame has the focus, the user is here: there is nothing in this frame but this page.
    else takeFromFrame();
  }, LATE_MS);
}

/**
 * Like `focusWhenHere`, for a request of the host, which can be late: if the user's last key has moved the focus on the page, it stays
 * there.
 */
export function focusUnlessMoved(focus: () => void): void {
  focusWhenHere(() => {
    if (!hasJustMoved()) focus();
  });
}

/** How long the focus can take to arrive, in milliseconds. */
const LATE_MS = 250;

/** The editor's frame around this page, from which the editor's messages come. */
let frame: MessageEventSource | null = null;

export function rememberFrame({ source }: MessageEvent): void {
  if (source === window || source === frame) return;
  frame = source;
  const target: EventTarget | null = source;
  try {
    target?.addEventListener('focus', () => setTimeout(takeFromFrame, LATE_MS));
  } catch {
    // Not logged, for the same reason as in `hasFrameFocus`.
  }
}

/**
 * Takes the focus from the editor's frame. When the editor returns the focus after a dialog, the focus can also stop at this frame, and
 * the page gets no event.
 */
function takeFromFrame(): void {
  if (!document.hasFocus() && hasFrameFocus()) window.focus();
}

/**
 * Whether the focus has stopped at the editor's frame. VS Code focuses its own frame at once, and the page in it 50 ms later, but not
 * if the frame reports in between that it had lost the focus, which it does up to 250 ms late.
 */
function hasFrameFocus(): boolean {
  try {
    return frame !== null && 'document' in frame && frame.document.hasFocus();
  } catch {
    // Not logged: in an editor whose frame has another origin, its document can't be read.
    return false;
  }
}

/**
 * Runs a function that opens a quick pick of the editor: at once, or when the page gets the focus that is on its way, such as from the
 * Command Palette. A focus that arrives later would close the quick pick. If no focus arrives, the function runs after a short time.
 */
export function afterFocus(run: () => void): void {
  if (document.hasFocus()) {
    run();
    return;
  }
  const begun = new AbortController();
  const begin = () => {
    if (begun.signal.aborted) return;
    begun.abort();
    run();
  };
  window.addEventListener('focus', begin, { signal: begun.signal });
  setTimeout(begin, LATE_MS);
}

/** Call this when the page has got the focus. */
export function focusDue(): void {
  const focus = due;
  due = undefined;
  focus?.();
}

/** When the user pressed something on this page with the mouse, in milliseconds. */
let pressedAt: number | undefined;
/** The time within which a press gives the page the focus, in milliseconds. */
const PRESS_MS = 1000;

export function rememberPress(): void {
  pressedAt = performance.now();
  due = undefined;
  forgetMove();
  // A user who presses a place that can't have the focus wants it nowhere, for example to scroll with the keys.
  setTimeout(() => {
    if (document.hasFocus() && document.activeElement === document.body) latest = undefined;
  });
}

/**
 * Call this when the page has the focus again. If the browser has forgotten which element had it, as after a dialog of the editor in a
 * browser window, that element gets the focus. Not if the user has just pressed something, or has selected text.
 */
export function returnFocus(): void {
  if (pressedAt !== undefined && performance.now() - pressedAt < PRESS_MS) return;
  // Waits a frame, because the Tab key moves the focus to an element first.
  requestAnimationFrame(() => {
    const isNowhere = document.hasFocus() && document.activeElement === document.body;
    if (isNowhere && document.getSelection()?.isCollapsed !== false) focusAgain();
  });
}

/**
 * Focuses an element if the page has the focus and nothing on it was used yet: users who open the chat by its icon can type at once.
 * The editor then focuses the page, but no element in it.
 */
export function focusFirst(element: HTMLElement | null): void {
  if (document.hasFocus() && latest === undefined && pressedAt === undefined) element?.focus();
}

function holdFocus(): Held | undefined {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return undefined;
  return { element, others: othersOf(element) };
}

/** The elements after this one in its group, then those before it, the nearest first; then its message, and the next message. */
function othersOf(element: HTMLElement): readonly HTMLElement[] {
  const group = element.closest(GROUP);
  // Includes disabled elements, because the drawing may enable them.
  const controls = group?.querySelectorAll<HTMLElement>(
    'button, a[href], input, textarea, [tabindex]:not([tabindex="-1"])',
  );
  const inGroup = [...(controls ?? [])];
  const before = inGroup.filter(
    (other) => other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  const after = inGroup.filter(
    (other) => other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING,
  );
  const article = element.closest<HTMLElement>('article');
  const sibling = element.nextElementSibling;
  return [
    ...after,
    ...before.toReversed(),
    ...(article === null ? [] : [article]),
    ...(sibling instanceof HTMLElement && sibling.matches('article') ? [sibling] : []),
  ];
}

const isThere = (element: HTMLElement): boolean => element.isConnected && element.checkVisibility();
