/** The tools that the user selects, in two windows of a folder. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { EventEmitter, window } from '../../../support/editorStub.ts';
import { removeFolderSync } from '../../../support/removeFolder.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { sharedWindows } from '../../../support/sharedWindows.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createToolSet } = await withEditorStub(() => import('../../../../src/editor/tools/toolSet.ts'));

describe('The tools that the user has deselected in one of two windows', () => {
  restoreAfterEach(window);
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'k3-tools-'));
  });
  afterEach(() => removeFolderSync(home));

  it('stay so when the other one saves something later, and are not selected there when it gets the focus', async () => {
    const open = sharedWindows(home);
    const focused = new EventEmitter<object>();
    Object.assign(window, { onDidChangeWindowState: focused.event });
    const start = () => {
      const state = open();
      const installed = { list: () => [] };
      const set = createToolSet({
        builtIn: [],
        installed,
        state,
        enabled: () => true,
        log: { warn: assert.fail },
      });
      return { state, set };
    };
    const [one, other] = [start(), start()];
    const choice = { without: ['k3_read_file'], others: ['theirs'] };
    one.set.choose(choice);
    await other.state.update('k3.openConversation', 'c');
    assert.deepEqual(start().set.choice(), choice);
    let changes = 0;
    other.set.onDidChange(() => changes++);
    focused.fire({ focused: true });
    focused.fire({ focused: true });
    assert.deepEqual([other.set.choice(), changes], [choice, 1]);
  });
});
