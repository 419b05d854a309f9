import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { EventEmitter, window } from '../../../support/editorStub.ts';
import { removeFolderSync } from '../../../support/removeFolder.ts';
import { sharedWindows } from '../../../support/sharedWindows.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createChosenFormats, followFormats } = await withEditorStub(
  () => import('../../../../src/editor/composer/chosenFormats.ts'),
);

describe('An answer format that was chosen in another window', () => {
  const before = { ...window };
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'k3-formats-'));
  });
  afterEach(() => {
    Object.assign(window, before);
    removeFolderSync(home);
  });

  it('is that of the conversation as soon as this window gets the focus, and that of others stays', () => {
    const focus = new EventEmitter<{ readonly focused: boolean }>();
    Object.assign(window, { onDidChangeWindowState: focus.event });
    const open = sharedWindows(home);
    const [one, other] = [open(), open()].map((state) => createChosenFormats(state, { warn: assert.fail }));
    assert.ok(one && other);
    const changed: string[] = [];
    followFormats(other, (id) => void changed.push(id));
    one.set('c1', { kind: 'json' });
    one.set('c2', { kind: 'json' });
    focus.fire({ focused: false });
    assert.equal(other.get('c1'), undefined);
    focus.fire({ focused: true });
    assert.deepEqual([other.get('c1'), changed], [{ kind: 'json' }, ['c1', 'c2']]);
    other.set('c3', { kind: 'json' });
    one.set('c1', undefined);
    focus.fire({ focused: true });
    assert.deepEqual(
      ['c1', 'c2', 'c3'].map((id) => other.get(id)?.kind),
      [undefined, 'json', 'json'],
    );
    assert.deepEqual(changed.slice(2), ['c1']);
  });
});
