import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createEditorChords } from '../../../../src/webview/chat/editorChords.ts';

const key = (
  name: string,
  modifiers: Partial<Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>> = {},
) => ({
  key: name,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...modifiers,
});
const CTRL = { ctrlKey: true };
const META = { metaKey: true };

/** Whether each key is a second one, a second apart. */
function told(isMac: boolean, keys: readonly ReturnType<typeof key>[], apart = 1000): readonly boolean[] {
  let time = 0;
  const isSecond = createEditorChords({ isMac, now: () => time });
  return keys.map((one) => {
    time += apart;
    return isSecond(one);
  });
}

describe('The second key of a binding', () => {
  it('comes after Ctrl+K, with or without modifiers, and is only one', () => {
    assert.deepEqual(told(false, [key('k', CTRL), key('n'), key('n')]), [false, true, false]);
    assert.deepEqual(told(false, [key('k', CTRL), key('Control', CTRL), key('k', CTRL), key('k')]), [
      false,
      false,
      true,
      false,
    ]);
  });

  it('comes after Cmd+K on macOS, where Ctrl+K deletes', () => {
    assert.deepEqual(told(true, [key('k', META), key('n')]), [false, true]);
    assert.deepEqual(told(true, [key('k', CTRL), key('n')]), [false, false]);
    assert.deepEqual(told(false, [key('k', META), key('n')]), [false, false]);
  });

  it('does not come after other keys, or later than the editor waits', () => {
    const others = [key('k'), key('k', { ...CTRL, shiftKey: true }), key('j', CTRL), key('n')];
    assert.deepEqual(told(false, others), [false, false, false, false]);
    assert.deepEqual(told(false, [key('k', CTRL), key('n')], 5000), [false, false]);
  });
});
