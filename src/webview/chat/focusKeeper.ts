/**
 * Keeps the focus where the user works when what had it disappears: a button that was pressed, an item that was
 * removed. Otherwise the focus would be at the start of the page, and screen readers would begin again.
 */

/**
 * What has buttons or items that belong together. Not the buttons of a card or beside Stop: pressing the key again must
 * not do something else.
 */
const GROUP = '[role="toolbar"], [role="list"], .attempts';

/** The focused element, and where the focus goes without it, the nearest first. */
interface Held {
  readonly element: HTMLElement;
  readonly others: readonly HTMLElement[];
}

/**
 * Draws, and moves the focus if its element is gone then.
 *
 * @param last where the focus goes when nothing near it is left
 */
export function keepFocus(draw: () => void, last: () => HTMLElement | null): void {
  const held = document.hasFocus() ? holdFocus() : undefined;
  draw();
  if (held === undefined || (held.element.isConnected && !held.element.matches(':disabled'))) return;
  // Something else was focused meanwhile.
  const now = document.activeElement;
  if (now !== document.body && now !== null && now !== held.element) return;
  const next = held.others.find((other) => isThere(other) && !other.matches(':disabled')) ?? last();
  next?.focus({ preventScroll: next.matches('article') });
  // The user didn't choose that place.
  forgetMove();
}

/** What had the focus last. The browser forgets it when the focus goes to another document. */
let latest: HTMLElement | undefined;

export function rememberFocus({ target }: Event): void {
  if (isKeyHandled) movedAt = performance.now();
  if (target instanceof HTMLElement) latest = target;
}

/** When the user's last key here moved the focus, in milliseconds. Undefined if it did something else, or the focus was away since. */
let movedAt: number | undefined;
/** Longer ago, the user can have run a command with the mouse since, of which the page hears nothing. In milliseconds. */
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

/** Focuses what had the focus last. False if it is gone. */
export function focusAgain(): boolean {
  if (latest === undefined || !isThere(latest) || latest.matches(':disabled')) return false;
  latest.focus({ preventScroll: true });
  return true;
}

/** What gets the focus when the page has it again. */
let due: (() => void) | undefined;

/**
 * Focuses something on the page, now or when the page gets the focus: a script that focuses an element takes the focus from
 * wherever the user has gone meanwhile, such as from a list of the editor, which closes.
 */
export function focusWhenHere(focus: () => void): void {
  if (document.hasFocus()) {
    focus();
    return;
  }
  due = focus;
  setTimeout(() => {
    if (due !== focus) return;
    // The page of a busy browser can get the focus event before it knows that it has the focus.
    if (document.hasFocus()) focusDue();
    // The user is not anywhere else: there is nothing in that frame but this page.
    else takeFromFrame();
  }, LATE_MS);
}

/** As `focusWhenHere`, for a request of the host, which can be late: where the user's last key has moved the focus on the page, it stays. */
export function focusUnlessMoved(focus: () => void): void {
  focusWhenHere(() => {
    if (!hasJustMoved()) focus();
  });
}

/** In milliseconds. */
const LATE_MS = 250;

/** The editor's frame around this page, which it sends its messages through. */
let frame: MessageEventSource | null = null;

export function rememberFrame({ source }: MessageEvent): void {
  if (source === window || source === frame) return;
  frame = source;
  const target: EventTarget | null = source;
  try {
    target?.addEventListener('focus', () => setTimeout(takeFromFrame, LATE_MS));
  } catch {
    // As in `hasFrameFocus`.
  }
}

/** When the editor gives the focus back after a dialog, it can end one frame too early as well, and nobody tells the page. */
function takeFromFrame(): void {
  if (!document.hasFocus() && hasFrameFocus()) window.focus();
}

/**
 * Whether the focus has ended one frame too early. VS Code focuses its own frame at once, and the page in it 50 ms later, but
 * not if that frame reports meanwhile that it had lost the focus, which it does up to 250 ms late.
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
 * Runs what opens a list of the editor: at once, or when the page has got the focus that is on its way, as from the Command
 * Palette, and that would close the list if it came later. Runs without it as well if it doesn't come.
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

/** The page has the focus. */
export function focusDue(): void {
  const focus = due;
  due = undefined;
  focus?.();
}

/** When the user pressed something on this page with the mouse, in milliseconds. */
let pressedAt: number | undefined;
/** A press gives the page the focus within this time. In milliseconds. */
const PRESS_MS = 1000;

export function rememberPress(): void {
  pressedAt = performance.now();
  due = undefined;
  forgetMove();
  // Who has pressed a place that takes no focus wants it nowhere, for example to scroll with the keys.
  setTimeout(() => {
    if (document.hasFocus() && document.activeElement === document.body) latest = undefined;
  });
}

/**
 * The page has the focus again, and the browser has forgotten where on the page it was, as after a dialog of the editor in a
 * browser window: goes back there. Not where the user has just pressed, and not away from what is selected.
 */
export function returnFocus(): void {
  if (pressedAt !== undefined && performance.now() - pressedAt < PRESS_MS) return;
  // The Tab key goes to an element first.
  requestAnimationFrame(() => {
    const isNowhere = document.hasFocus() && document.activeElement === document.body;
    if (isNowhere && document.getSelection()?.isCollapsed !== false) focusAgain();
  });
}

/**
 * Focuses an element if the page has the focus and nothing on it was used yet: who opens the chat by its icon can write
 * at once. The editor focuses the page then, and nothing on it.
 */
export function focusFirst(element: HTMLElement | null): void {
  if (document.hasFocus() && latest === undefined && pressedAt === undefined) element?.focus();
}

function holdFocus(): Held | undefined {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return undefined;
  return { element, others: othersOf(element) };
}

/** In its group those after it, then those before it, the nearest first; its message; the one that follows. */
function othersOf(element: HTMLElement): readonly HTMLElement[] {
  const group = element.closest(GROUP);
  // Also those that are disabled: what is drawn may enable them.
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
