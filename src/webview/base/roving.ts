/** Toolbars and the rows of turn maps have one tab stop each. Arrow keys, Home, and End move to their other buttons. */

/** Includes the rows of turn maps, which are lists of buttons. */
const TOOLBAR = '[role="toolbar"], .map-bar';

const CHANGING_TOOLBAR = `:is(${TOOLBAR}):not(.code-buttons)`;

/** The button of each toolbar that is its tab stop. */
const stops = new WeakMap<Element, HTMLElement>();

/** The enabled buttons, in order. */
const buttonsOf = (toolbar: Element): readonly HTMLElement[] => [
  ...toolbar.querySelectorAll<HTMLElement>('button:not(:disabled)'),
];

/**
 * Gives every toolbar its tab stop. Buttons may have been added or removed since the last call. The toolbars of code blocks are left
 * out, of which an answer can have hundreds: they have a tab stop from the start, and their buttons don't change.
 */
export function setTabStops(root: ParentNode): void {
  for (const toolbar of root.querySelectorAll(CHANGING_TOOLBAR)) {
    const buttons = buttonsOf(toolbar);
    const earlier = stops.get(toolbar);
    const stop = earlier !== undefined && buttons.includes(earlier) ? earlier : buttons[0];
    for (const button of buttons) {
      const index = button === stop ? 0 : -1;
      if (button.tabIndex !== index) button.tabIndex = index;
    }
  }
}

/** The index of the button after a key; undefined for a key that doesn't move the focus. */
function nextPosition(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowLeft':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Moves the focus in a toolbar. Returns whether the key moved it. */
export function moveInToolbar(event: KeyboardEvent): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button') : null;
  const toolbar = button?.closest(TOOLBAR);
  if (!button || !toolbar) return false;
  const buttons = buttonsOf(toolbar);
  const at = buttons.indexOf(button);
  const rightToLeft = getComputedStyle(toolbar).direction === 'rtl';
  const key = rightToLeft ? mirrored(event.key) : event.key;
  const next = at === -1 ? undefined : nextPosition(key, at, buttons.length);
  const target = next === undefined ? undefined : buttons[next];
  if (target === undefined) return false;
  target.focus();
  return true;
}

const mirrored = (key: string): string =>
  key === 'ArrowLeft' ? 'ArrowRight' : key === 'ArrowRight' ? 'ArrowLeft' : key;

/** Makes the button that had the focus last the tab stop of its toolbar. */
export function rememberStop({ target }: FocusEvent): void {
  const toolbar = target instanceof HTMLElement ? target.closest(TOOLBAR) : null;
  if (!toolbar || !(target instanceof HTMLButtonElement)) return;
  stops.set(toolbar, target);
  for (const button of buttonsOf(toolbar)) button.tabIndex = button === target ? 0 : -1;
}
