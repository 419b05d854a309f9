/**
 * Detects the second key of a keyboard chord of the editor, such as N after Ctrl+K. The page gets the key first, and can't ask the
 * editor. Without this, the page would also write the letter into the message box, or send the message with Enter.
 */

/** How long the editor waits for the second key, in milliseconds. */
const WITHIN_MS = 5000;
/** Names of keys, not translated. */
const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph']);

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * Returns a function that must get every key. It returns whether the key is a second one.
 *
 * @param now the current time in milliseconds
 */
export function createEditorChords({ isMac, now }: { isMac: boolean; now(): number }): (key: Key) => boolean {
  let first: number | undefined;
  return (key) => {
    if (MODIFIERS.has(key.key)) return false;
    const isSecond = first !== undefined && now() - first < WITHIN_MS;
    first = !isSecond && isFirst(key, isMac) ? now() : undefined;
    return isSecond;
  };
}

/** All default bindings with two keys begin with Ctrl+K, on macOS with Cmd+K. */
function isFirst({ key, ctrlKey, metaKey, altKey, shiftKey }: Key, isMac: boolean): boolean {
  const only = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return only && !altKey && !shiftKey && key.toLowerCase() === 'k';
}
